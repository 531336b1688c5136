#define _POSIX_C_SOURCE 200809L // open_memstream
#include "sample.h"

#include "tarn.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 32, VALUE_SIZE = 32 };

// splitmix64
unsigned sample_below(unsigned long long *random, unsigned n) {
  unsigned long long z = *random += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (unsigned)((z ^ z >> 31) % n);
}

static void print(char *text, size_t room, size_t *size, const char *format, va_list args) {
  const int more = vsnprintf(text + *size, room - *size, format, args);
  *size = more < 0 || (size_t)more >= room - *size ? room - 1 : *size + (size_t)more;
}

void sample_add(char *text, size_t room, size_t *size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  print(text, room, size, format, args);
  va_end(args);
}

void sample_part(char *text, size_t room, const char *between, const char *format, ...) {
  size_t size = strlen(text);
  va_list args;
  if (size)
    sample_add(text, room, &size, "%s", between);
  va_start(args, format);
  print(text, room, &size, format, args);
  va_end(args);
}

char *sample_network(const SampleValue *values, int count) {
  char texts[MAX_VALUES][VALUE_SIZE];
  const char *arguments[MAX_VALUES];
  if (count > MAX_VALUES)
    abort();
  for (int i = 0; i < count; i++) {
    snprintf(texts[i], VALUE_SIZE, "%s=%d", values[i].name, values[i].value);
    arguments[i] = texts[i];
  }
  char *network = NULL;
  size_t size;
  FILE *file = open_memstream(&network, &size);
  Tarn *tarn = tarn_init();
  if (!file || !tarn)
    exit(2);
  if (tarn_generate(tarn, file, "random", count, arguments)) {
    fprintf(stderr, "%s\n", tarn_error(tarn));
    exit(2);
  }
  fclose(file);
  tarn_release(tarn);
  return network;
}

SampleCase sample_case(unsigned long seed, unsigned max_constant, int is_closed) {
  SampleCase c = {.seed = seed, .random = seed};
  const int processes = 1 + (int)sample_below(&c.random, 3);
  const int locations = 2 + (int)sample_below(&c.random, processes == 1 ? 6 : 3);
  const SampleValue values[] = {
      {"seed", (int)seed},
      {"processes", processes},
      {"locations", locations},
      {"edges", locations + (int)sample_below(&c.random, 6)},
      {"clocks", 1 + (int)sample_below(&c.random, 3)},
      {"constant", 1 + (int)sample_below(&c.random, max_constant)},
      {"ints", (int)sample_below(&c.random, 3)},
      {"syncs", (int)sample_below(&c.random, 3)},
      {"invariants", (int)sample_below(&c.random, 70)},
      {"committed", sample_below(&c.random, 2) ? 0 : 15},
      {"urgent", sample_below(&c.random, 2) ? 0 : 15},
      {"closed", is_closed},
  };
  c.model = sample_network(values, sizeof values / sizeof *values);
  for (int p = 0; p < processes; p++)
    for (int l = 0; l < locations; l++)
      snprintf(c.labels[c.query_count++], SAMPLE_LABEL, "P%d_l%d", p, l);
  return c;
}

void sample_seeds(int argc, char **argv, unsigned long *first, unsigned long *last) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s COUNT [FIRST]\n", argv[0]);
    exit(2);
  }
  *first = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
  *last = *first + strtoul(argv[1], NULL, 10);
}
