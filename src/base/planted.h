// Bugs on purpose, for tests that have to find them. In builds with MODE=planted the environment
// variable TARN_PLANTED names the one that is there; in all others there is none.
#ifndef TARN_BASE_PLANTED_H
#define TARN_BASE_PLANTED_H

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

#endif
