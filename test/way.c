// For test/way.sh: notes which function called which, until the function at address WAY_TARGET is
// called. Then it writes the stack (S address) and the calls (E caller callee), and exits.
#include <stdio.h>
#include <stdlib.h>

#define HIDDEN __attribute__((no_instrument_function))

enum { MAX_DEPTH = 1 << 16, MAX_CALLS = 1 << 16 };
static void *stack[MAX_DEPTH], *calls[MAX_CALLS][2];
static int depth, count;

HIDDEN void __cyg_profile_func_enter(void *function, void *site);
HIDDEN void __cyg_profile_func_exit(void *function, void *site);

HIDDEN static void note(void *caller, void *callee) {
  for (int i = count - 1; i >= 0; i--)
    if (calls[i][0] == caller && calls[i][1] == callee)
      return;
  if (count == MAX_CALLS)
    abort();
  calls[count][0] = caller;
  calls[count++][1] = callee;
}

void __cyg_profile_func_enter(void *function, void *site) {
  (void)site;
  if (depth == MAX_DEPTH)
    abort();
  if (depth)
    note(stack[depth - 1], function);
  stack[depth++] = function;
  if ((unsigned long)function != strtoul(getenv("WAY_TARGET"), NULL, 16))
    return;
  for (int i = 0; i < depth; i++)
    printf("S %p\n", stack[i]);
  for (int i = 0; i < count; i++)
    printf("E %p %p\n", calls[i][0], calls[i][1]);
  fflush(stdout);
  _Exit(0);
}

void __cyg_profile_func_exit(void *function, void *site) {
  (void)function, (void)site;
  depth--;
}
