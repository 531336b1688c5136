// Random networks of copies of one process, half of them broken somewhere, and queries about
// them; in TChecker's language or in UPPAAL's. For agree_symmetry.c.
#pragma once

#include "base/random.h"
#include "base/text.h"

#include <stddef.h>

typedef struct Copies {
  Random *random;
  Text *text; // the model is appended
  uint32_t copies, locations;
  bool is_closed; // no strict constraints, so that time can be counted
} Copies;

void copies_tck(Copies *);
void copies_tck_query(Copies *, char *text, size_t size);

// With broadcasts whose receivers have guards, urgent channels, priorities, functions, tables of
// constants, references and arrays with any first index.
void copies_uppaal(Copies *);
void copies_uppaal_query(Copies *, char *text, size_t size);
