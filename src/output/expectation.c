#include "output/expectation.h"

#include <stdbool.h>
#include <string.h>

static bool is_one_of(const char *word, size_t length, const char *const *words) {
  for (; *words; words++)
    if (strlen(*words) == length && !strncmp(*words, word, length))
      return true;
  return false;
}

int expectation_met(const char *expectation, Verdict verdict) {
  static const char *const yes[] = {"T", "SAT", "TRUE", NULL};
  static const char *const no[] = {"F", "UNSAT", "FALSE", NULL};
  static const char *const error[] = {"E", "ERROR", NULL};
  for (const char *at = expectation; at && *at;) {
    const size_t length = strcspn(at, ",");
    if (is_one_of(at, length, yes))
      return verdict == VERDICT_SATISFIED;
    if (is_one_of(at, length, no))
      return verdict == VERDICT_NOT_SATISFIED;
    if (is_one_of(at, length, error))
      return verdict == VERDICT_REFUSED;
    at += length + (at[length] == ',');
  }
  return -1;
}
