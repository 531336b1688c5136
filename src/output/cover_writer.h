// Test suites as text, JSON and a page.
#pragma once

#include "output/answer.h"

// Something to be covered.
typedef struct CoveredItem {
  const char *name;
  const char *status; // "covered", "unreachable" or "undecided"
  uint32_t run;       // the first that covers it, from 1 on; 0: none
  uint32_t before;    // of a pair: the first edge
  uint32_t index;     // of the edge, the location or the query; of the second edge of a pair
} CoveredItem;

typedef struct Covered {
  const char *goal; // "edges", "locations", "pairs" or "queries"
  const CoveredItem *items;
  uint32_t item_count;
  Answers runs;            // answers without a query, each with its run; or those of the queries
  const char *reason;      // why something is undecided; NULL: nothing is
  const char *certificate; // what was proved by it is unreachable; NULL: no file was asked for
  uint32_t certificates;   // with a number after the name of the file each; 0: the file itself
  bool is_accepted;        // they were checked
  const char *missing;     // why not; NULL or empty: not tried
  const Statistics *stats;
} Covered;

void cover_text(Text *, const Covered *);
void cover_json(Text *, const Net *, const Options *, const Covered *);
