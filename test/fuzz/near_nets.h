// Random networks near the models of the rules of partial order (test/fuzz/partial/rules.tsv): a
// model with some random edits. Constants and relations change, edges go, come twice or move,
// locations become urgent or committed. So each rule has networks for which it matters, also
// those that other random networks hardly ever need.
#pragma once

#include <stdbool.h>

enum { NEAR_TEXT = 8000, NEAR_PART = 200 };

typedef struct NearNet {
  bool is_uppaal;
  char text[NEAR_TEXT];
  char query[NEAR_PART];
  char options[NEAR_PART]; // --name value ..., for both searches
} NearNet;

// Of a seed; those of one row of the table follow each other by the number of rows. In the
// directory of the tree. The program ends with status 2 if the files are not there.
void near_nets_make(NearNet *, unsigned long seed);
