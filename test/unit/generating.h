// Families of generated models, for the unit tests of the generators: each can be read at several
// sizes, and grows.
#pragma once

#include "language/gen/gen.h"
#include "reading.h"

typedef struct GenCase {
  const char *family;
  const char *size; // an argument, or NULL
  uint32_t processes, locations, edges, clocks;
} GenCase;

static inline void gen_one(const GenCase *c) {
  Mem mem = {0};
  Text text = {.mem = &mem};
  Report report;
  report_init(&report, &mem);
  const char *const arguments[] = {c->size};
  if (!gen_write(&text, &report, c->family, c->size ? 1 : 0, arguments))
    fail_msg("%s: %s", c->family, text_chars(&report.error));
  Reading r;
  reading_accept(&r, text_chars(&text));
  const Net *net = &r.net;
  if (net->processes.size != c->processes || net->locations.size != c->locations ||
      net->edges.size != c->edges || net->clock_count != c->clocks)
    fail_msg("{\"%s\", \"%s\", %u, %u, %u, %u},", c->family, c->size ? c->size : "",
             (unsigned)net->processes.size, (unsigned)net->locations.size,
             (unsigned)net->edges.size, (unsigned)net->clock_count);
  reading_release(&r);
  text_release(&text);
  report_release(&report);
  assert_int_equal(mem.bytes, 0);
}

#define GEN_MAIN(...)                                                                            \
  static void test_sizes(void **state) {                                                         \
    (void)state;                                                                                 \
    static const GenCase cases[] = {__VA_ARGS__};                                                \
    for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++)                                  \
      gen_one(&cases[k]);                                                                        \
  }                                                                                              \
  int main(void) {                                                                               \
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes)};                            \
    return cmocka_run_group_tests(tests, NULL, NULL);                                            \
  }
