#include "command/expectation.h"

#include <stdbool.h>
#include <string.h>

static bool is_one_of(const char *word, size_t length, const char *const *words) {
  for (; *words; words++)
    if (strlen(*words) == length && !strncmp(*words, word, length))
      return true;
  return false;
}

int expectation_verdict(const char *expectation) {
  static const char *const yes[] = {"T", "SAT", "TRUE", NULL};
  static const char *const no[] = {"F", "UNSAT", "FALSE", NULL};
  static const char *const error[] = {"E", "ERROR", NULL};
  for (const char *at = expectation; at && *at;) {
    const size_t length = strcspn(at, ",");
    if (is_one_of(at, length, yes))
      return TARN_SATISFIED;
    if (is_one_of(at, length, no))
      return TARN_NOT_SATISFIED;
    if (is_one_of(at, length, error))
      return TARN_REFUSED;
    at += length + (at[length] == ',');
  }
  return -1;
}
