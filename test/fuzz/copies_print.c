// Prints a random network of copies of one process, in TChecker's language, after a comment with
// a query about it: copies_print SEED. For proof/test/copies.sh.
#include "copies.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: copies_print SEED\n", stderr);
    return 2;
  }
  Mem mem = {0};
  Random random;
  random_seed(&random, strtoull(argv[1], NULL, 10));
  Text text = {.mem = &mem};
  Copies made = {.random = &random, .text = &text};
  char query[1000];
  copies_tck(&made);
  copies_tck_query(&made, query, sizeof query);
  printf("# %s\n%s", query, text_chars(&text));
  text_release(&text);
  mem_release(&mem);
  return 0;
}
