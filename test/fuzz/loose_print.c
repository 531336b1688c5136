// Prints a random network of loose_nets.h for test/fuzz/agree_evidence.py and the forger, with a
// query as first line: loose_print SEED
#include "loose_nets.h"

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
  static LooseNet net;
  if (count != 2) {
    fprintf(stderr, "usage: loose_print SEED\n");
    return 2;
  }
  loose_nets_make(&net, strtoul(arguments[1], NULL, 10));
  printf("// %s\n%s", net.queries[0], net.text);
  return 0;
}
