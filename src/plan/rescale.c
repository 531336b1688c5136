#include "plan/rescale.h"

#include "base/timer.h"
#include "language/query_reader.h"
#include "plan/load.h"

#include <string.h>

// The old net stays as long as the session: runs of earlier answers are made of its parts.
static void read_again(Tarn *tarn, int64_t unit) {
  Report unused;
  Net net;
  report_init(&unused, &tarn->mem);
  net_init(&net, &tarn->mem);
  net.origin.scale = ARENA_NEW(&net.arena, Scale);
  net.origin.scale->unit = unit;
  Net *old = mem_alloc(&tarn->mem, sizeof *old);
  *old = tarn->net;
  tarn->net = net; // front ends keep its address
  if (!load_net(&tarn->net, &tarn->source, &unused)) {
    net_release(&tarn->net);
    tarn->net = *old;
    mem_free(&tarn->mem, old);
  } else {
    tarn->net_number++;
    for (uint32_t i = 0; i < tarn->answers.size; i++)
      if (tarn->answers.items[i]->trace.net == &tarn->net)
        tarn->answers.items[i]->trace.net = old;
  }
  report_release(&unused);
}

// A simulation goes on with the net that it was started with.
static bool fit(Tarn *tarn) {
  const int64_t unit = scale_wanted(tarn->net.origin.scale, NET_MAX_CONSTANT);
  if (unit == net_unit(&tarn->net) || tarn->simulation)
    return false;
  read_again(tarn, unit);
  return unit == net_unit(&tarn->net);
}

static void forget_queries(Tarn *tarn) {
  Scale *scale = tarn->net.origin.scale;
  scale->common = tarn->scale.common;
  scale->max = tarn->scale.max;
  scale->is_dynamic = tarn->scale.is_dynamic;
}

static void note_queries(Tarn *tarn, Arena *arena, const char *const *queries, size_t count) {
  Report unused;
  report_init(&unused, &tarn->mem);
  for (size_t i = 0; i < count; i++) {
    const Source source = {.name = "<query>", .text = queries[i], .size = strlen(queries[i])};
    Query query;
    query_read(&query, arena, &tarn->net, &source, &unused);
    report_clear(&unused);
  }
  report_release(&unused);
}

// Whether a query may have a number that is too large: of eight digits.
static bool has_large_number(const char *text) {
  for (; *text; text++)
    if (strspn(text, "0123456789") >= 8)
      return true;
  return false;
}

// Most models have small constants and are asked small ones: then there is nothing to do.
static bool is_settled(const Tarn *tarn, const char *const *queries, size_t count) {
  if (!tarn->net.origin.scale)
    return true;
  if (net_unit(&tarn->net) != 1 || tarn->scale.max > NET_MAX_CONSTANT)
    return false;
  for (size_t i = 0; i < count; i++)
    if (has_large_number(queries[i]))
      return false;
  return true;
}

// Within the limits of reading; if one is reached the net stays as it is. Whether it has another
// unit now.
static bool fit_within_limits(Tarn *tarn, const char *const *queries, size_t count) {
  const Net net = tarn->net;
  const size_t mark = mem_mark(&tarn->mem);
  Arena arena = {.mem = &tarn->mem};
  jmp_buf escape;
  volatile bool is_other = false;
  tarn->began = timer_seconds();
  session_limit(tarn);
  if (GUARD(tarn, escape)) {
    mem_release_to(&tarn->mem, mark);
    tarn->net = net;
  } else {
    note_queries(tarn, &arena, queries, count);
    is_other = fit(tarn);
    arena_release(&arena);
  }
  session_unlimit(tarn);
  tarn->reading += timer_seconds() - tarn->began;
  return is_other;
}

void rescale_for(Tarn *tarn, const char *const *queries, size_t count) {
  if (tarn->net.origin.scale)
    forget_queries(tarn);
  if (!is_settled(tarn, queries, count))
    fit_within_limits(tarn, queries, count);
}

void rescale_to(Tarn *tarn, const TarnQuery *asked) {
  if (asked && !asked->is_labels)
    rescale_for(tarn, &asked->text, 1);
  else
    rescale_to_model(tarn);
}

void rescale_to_model(Tarn *tarn) { rescale_for(tarn, NULL, 0); }

bool rescale_again(Tarn *tarn) {
  return tarn->net.origin.scale && fit_within_limits(tarn, NULL, 0);
}
