// Makes a finding small: lines, attributes, conjuncts, statements and constants are taken away
// as long as it remains a finding.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// What an attempt ends with, as an exit status; any other one is a crash.
enum { ENDED = 40, ENDED_REACHABLE, ENDED_UNREACHABLE, FOUND, TROUBLE, INVALID };

typedef struct Shrunk {
  int (*attempt)(void *context, const char *model, const char *query);
  void *context;
  char *model; // allocated; replaced by a smaller one
  char *query; // not allocated at first; the result is
  unsigned attempts;
} Shrunk;

void shrink(Shrunk *);
unsigned shrink_declarations(const char *model); // lines that are no comments
