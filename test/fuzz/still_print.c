// Prints a random network in which time often stands still, with its language and its queries in
// comments at the top: still_print KIND SEED. KIND: still (still_nets.h), text (the same, in
// UPPAAL's language only), near (near_nets.h). For proof/test/reduced.sh.
#include "near_nets.h"
#include "still_nets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_head(bool is_uppaal, const char *const *queries, int count) {
  const char *comment = is_uppaal ? "//" : "#";
  printf("%s %s\n", comment, is_uppaal ? "xta" : "tck");
  for (int i = 0; i < count; i++)
    printf("%s query %s\n", comment, queries[i]);
}

int main(int argc, char **argv) {
  static NearNet near;
  static StillNet still;
  if (argc != 3) {
    fputs("usage: still_print still|text|near SEED\n", stderr);
    return 2;
  }
  const unsigned long seed = strtoul(argv[2], NULL, 10);
  if (!strcmp(argv[1], "near")) {
    near_nets_make(&near, seed);
    print_head(near.is_uppaal, (const char *const[]){near.query}, 1);
    fputs(near.text, stdout);
    return 0;
  }
  const char *queries[STILL_QUERIES];
  still_nets_make(&still, seed, !strcmp(argv[1], "text"));
  for (int i = 0; i < STILL_QUERIES; i++)
    queries[i] = still.queries[i];
  print_head(still.is_uppaal, queries, STILL_QUERIES);
  fputs(still.text, stdout);
  return 0;
}
