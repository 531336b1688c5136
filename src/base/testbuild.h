// Switches of test builds: planted bugs and lowered limits.
//
// Planted bugs are bugs that the tests have to find. In builds with MODE=planted, the environment
// variable TARN_PLANTED names the bug that is present. Other builds have none.
//
// Some limits are reached only by large searches: beyond them, numbers are reused, tables grow,
// zones are dropped, caches are emptied. Builds with assertions have lower limits, so that the
// tests reach them. MODE=lowered has the lowest limits, so that nearly every search reaches them.
// No answer or count may depend on a limit.
#pragma once

#ifdef TARN_PLANTED
#include <stdlib.h>
#include <string.h>
static inline int planted_is(const char *name) {
  const char *chosen = getenv("TARN_PLANTED");
  return chosen && !strcmp(chosen, name);
}
#define PLANTED(name) planted_is(name)
#else
#define PLANTED(name) 0
#endif

// The reference build, MODE=plain, leaves out what is there for speed alone.
#ifdef TARN_PLAIN
enum { IS_PLAIN = 1 };
#else
enum { IS_PLAIN = 0 };
#endif

// LOWERED(usual, with_assertions, lowest): a constant.
#if defined TARN_LOWERED
#define LOWERED(usual, with_assertions, lowest) (lowest)
#elif defined NDEBUG
#define LOWERED(usual, with_assertions, lowest) (usual)
#else
#define LOWERED(usual, with_assertions, lowest) (with_assertions)
#endif
