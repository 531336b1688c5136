// Random networks in UPPAAL's language, of processes that have little to do with each other, so
// that queries do not depend on some: variables and clocks of their own, counters that all count
// up, channels of all kinds, committed and urgent locations, now and then an error at run time.
// The same seed gives the same text.
#pragma once

enum { LOOSE_TEXT = 8000, LOOSE_QUERIES = 4, LOOSE_QUERY = 120 };
enum { LOOSE_CONSTANT = 4 }; // no clock is compared with more

typedef struct LooseNet {
  char text[LOOSE_TEXT];
  char queries[LOOSE_QUERIES][LOOSE_QUERY];
} LooseNet;

void loose_nets_make(LooseNet *, unsigned long seed);
