// Bugs on purpose (base/testbuild.h) for tests that show what goes wrong. Only builds with
// MODE=planted have them.
#pragma once

#include <stdbool.h>
#include <stdlib.h>

#ifdef TARN_PLANTED
enum { CAN_PLANT = 1 };
#else
enum { CAN_PLANT = 0 };
#endif

// The one that is there from now on; NULL: none is.
static inline void plant(const char *bug) {
  if (bug)
    setenv("TARN_PLANTED", bug, 1);
  else
    unsetenv("TARN_PLANTED");
}
