// Prints a random network in UPPAAL's language, after a comment with a query about it:
// uppaal_print SEED. For proof/test/uppaal.sh.
#include "uppaal_nets.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: uppaal_print SEED\n", stderr);
    return 2;
  }
  Mem mem = {0};
  UppaalNet made;
  uppaal_nets_make(&made, &mem, strtoull(argv[1], NULL, 10));
  printf("// %s\n%s", text_chars(&made.query), text_chars(&made.text));
  uppaal_nets_release(&made);
  mem_release(&mem);
  return 0;
}
