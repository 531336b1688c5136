// Switches of test builds: planted bugs and lowered limits.
//
// Bugs on purpose, for tests that have to find them: in builds with MODE=planted the environment
// variable TARN_PLANTED names the one that is there; in all others there is none.
//
// Limits that only large searches reach: beyond them numbers are given out anew, tables grow,
// zones are dropped, memories are given up. Builds with assertions have lower ones, so that the
// tests get there too; MODE=lowered has the lowest, so that nearly every search does. No answer
// or count may depend on them.
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
