// Runs work in child processes, several at once. A child that crashes or runs out of memory harms
// no other.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct Jobs {
  int at_once;     // so many
  double deadline; // by jobs_now; 0: none. Children get SIGTERM then, and no new ones begin
  void *state;
  // In the child: does one piece of work and writes what it found.
  void (*work)(void *state, size_t index, FILE *out);
  // In the parent, when a child has ended: what it wrote, and whether it ended well. Children end
  // in any order.
  void (*done)(void *state, size_t index, const char *text, size_t size, bool ok);
} Jobs;

double jobs_now(void); // seconds

// All work from 0 to count - 1. False if it was ended before by a signal or the deadline, or if
// there can be no child.
bool jobs_run(const Jobs *, size_t count);
