// Certificates of points, for the unit tests of who writes and who checks them: taken apart, as a
// list of points, and put together again.
#pragma once

#include "answers/certificates/encode.h"
#include "answers/certificates/pointproof.h"
#include "check/certificate_reader.h"
#include "check/certify.h"
#include "searching.h"
#include "semantics/discrete/points.h"

// A random closed network, searched in points; false if the search does not end without a goal.
static inline bool pointdraft_search(Search *s, int seed, Random *random, bool with_goal) {
  char text[32];
  snprintf(text, sizeof text, "seed=%d", seed);
  const char *const arguments[] = {text, "closed=1", seed % 5 ? "faults=0" : "faults=1",
                                   seed % 2 ? "processes=3" : "processes=2"};
  search_generate(s, "random", 4, arguments);
  s->options.effects = 0;
  s->options.bounds = random_below(random, 3) ? BOUNDS_LOCAL : BOUNDS_GLOBAL;
  s->options.order = ORDER_BFS;
  if (with_goal)
    search_ask_random(s, random);
  Reading *r = &s->reading;
  s->space =
      points_new(&s->mem, &r->net, s->query.formula ? &s->goal : NULL, &s->options, &r->report);
  if (!s->space) // a query with a strict constraint
    return false;
  reach_init(&s->reach, &s->mem, s->space, (SearchOrder)s->options.order, &s->stats);
  s->result = reach_run(&s->reach);
  return s->result == REACH_NONE;
}

static inline void pointdraft_written(Search *s, Text *bytes) {
  const CertificateGoal goal = {.query = s->query.formula ? s->query_text : NULL,
                                .origin = "a test"};
  FILE *file = tmpfile();
  assert_true(pointproof_write(file, &s->mem, &s->reading.net, s->space, &goal));
  rewind(file);
  char buffer[4096];
  size_t size;
  text_clear(bytes);
  while ((size = fread(buffer, 1, sizeof buffer, file)) > 0)
    text_add_bytes(bytes, buffer, size);
  fclose(file);
}

static inline bool pointdraft_accepted(const Search *s, const Goal *goal, const Text *bytes,
                                       CertifyCounts *counts) {
  Mem mem = {0};
  Text why = {.mem = &mem};
  const bool ok =
      certify_check(&mem, &s->reading.net, goal, bytes->chars, bytes->size, counts, &why);
  assert_true(ok == !why.size);
  text_release(&why);
  assert_int_equal(mem.bytes, 0);
  return ok;
}

// The same certificate with chains of one point, without point number `left_out`. Limits of clock
// `clock` of all states are changed by `more`. Returns how many points there are.
static inline uint32_t pointdraft_change(const Search *s, const Text *from, Text *to,
                                         uint32_t left_out, ClockIndex clock, int more) {
  const Net *net = &s->reading.net;
  Text why = {.mem = from->mem}, points = {.mem = from->mem};
  Certificate c;
  assert_true(certificate_begin(&c, mem_part(from->mem), net, from->chars, from->size, &why));
  text_clear(to);
  text_add_bytes(to, from->chars, c.at);
  uint64_t states = certificate_number(&c);
  uint32_t number = 0;
  int32_t limits[100], values[100];
  for (encode_number(to, states); states; states--) {
    for (uint32_t i = 0; i < net->slots.count; i++)
      encode_number(to, certificate_number(&c));
    for (ClockIndex x = 1; x <= net->clock_count; x++) {
      limits[x] = (int32_t)certificate_number(&c);
      const int32_t changed = limits[x] + (x == clock ? more : 0);
      encode_number(to, changed < 0 ? 0 : (uint64_t)changed);
    }
    uint64_t chains = certificate_number(&c), count = 0;
    for (text_clear(&points); chains; chains--) {
      for (ClockIndex x = 1; x <= net->clock_count; x++)
        values[x] = (int32_t)certificate_number(&c);
      for (uint64_t left = certificate_number(&c) + 1; left; left--) {
        for (ClockIndex x = 1; x <= net->clock_count && number != left_out; x++)
          encode_number(&points, (uint64_t)values[x]);
        if (number++ != left_out) {
          encode_number(&points, 0);
          count++;
        }
        for (ClockIndex x = 1; x <= net->clock_count; x++)
          values[x] += values[x] < limits[x];
      }
    }
    encode_number(to, count);
    if (points.size)
      text_add_bytes(to, points.chars, points.size);
  }
  encode_number(to, 0); // sections
  text_release(&points);
  mem_release_part(c.mem);
  return number;
}
