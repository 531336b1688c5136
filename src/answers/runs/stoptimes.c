#include "answers/runs/stoptimes.h"

#include <string.h>

void stoptimes_init(StopTimes *s, Arena *arena, uint32_t clocks) {
  *s = (StopTimes){.arena = arena, .clocks = clocks};
  s->now = ARENA_ARRAY(arena, StopClock, clocks);
  for (ClockIndex x = 1; x < clocks; x++)
    vec_push(arena->mem, &s->now[x].spans, ((StopSpan){x, 0, UINT32_MAX}));
}

static void add_event(StopTimes *s, StopEvent event) {
  vec_push(s->arena->mem, &s->events, event);
}

void stoptimes_delay(StopTimes *s, const bool *stopped) {
  add_event(s, (StopEvent){.kind = STOP_DELAY, .delay = s->stopped.size});
  const bool *copy = arena_copy(s->arena, stopped, s->clocks * sizeof *stopped);
  vec_push(s->arena->mem, &s->stopped, copy);
}

void stoptimes_step(StopTimes *s) { add_event(s, (StopEvent){.kind = STOP_STEP}); }

static uint32_t add_spans(StopTimes *s, ClockIndex x) {
  for (uint32_t i = 0; i < s->now[x].spans.size; i++)
    vec_push(s->arena->mem, &s->spans, s->now[x].spans.items[i]);
  return s->now[x].spans.size;
}

void stoptimes_test(StopTimes *s, const ClockTest *tests, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const ClockTest *test = &tests[i];
    StopTest kept = {.first_span = s->spans.size,
                     .delays = s->stopped.size,
                     .bound = test->constant - s->now[test->i].offset + s->now[test->j].offset,
                     .is_strict = test->strict};
    kept.plus_count = add_spans(s, test->i);
    kept.minus_count = add_spans(s, test->j);
    vec_push(s->arena->mem, &s->tests, kept);
  }
}

static void set(StopTimes *s, ClockUpdate u) {
  Mem *mem = s->arena->mem;
  const uint32_t delays = s->stopped.size;
  StopClock *x = &s->now[u.x];
  x->offset = s->now[u.y].offset + u.constant;
  if (u.y != u.x) {
    vec_clear(&x->spans);
    for (uint32_t i = 0; i < s->now[u.y].spans.size; i++) {
      StopSpan span = s->now[u.y].spans.items[i];
      span.to = span.to < delays ? span.to : delays;
      if (span.from < span.to)
        vec_push(mem, &x->spans, span);
    }
    vec_push(mem, &x->spans, ((StopSpan){u.x, delays, UINT32_MAX}));
  }
}

void stoptimes_update(StopTimes *s, const ClockUpdate *updates, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    set(s, updates[i]);
    add_event(s, (StopEvent){.kind = STOP_UPDATE, .update = updates[i]});
  }
}

static void add_up(const StopTimes *s, const StopSpan *span, uint32_t delays, int8_t *row,
                   int sign) {
  const uint32_t to = span->to < delays ? span->to : delays;
  for (uint32_t d = span->from; d < to; d++)
    if (!s->stopped.items[d][span->of])
      row[d] = (int8_t)(row[d] + sign);
}

// Adds the row of a test, unless it always holds; false if it never does.
static bool add_row(const StopTimes *s, const StopTest *test, Simplex *simplex, int8_t *row) {
  memset(row, 0, simplex->columns);
  const StopSpan *spans = s->spans.items + test->first_span;
  for (uint32_t i = 0; i < test->plus_count + test->minus_count; i++)
    add_up(s, &spans[i], test->delays, row, i < test->plus_count ? 1 : -1);
  bool is_zero = true, has_plus = false;
  for (uint32_t d = 0; d < simplex->columns; d++) {
    is_zero &= !row[d];
    has_plus |= row[d] > 0;
  }
  const bool holds_at_zero = test->is_strict ? test->bound > 0 : test->bound >= 0;
  if (is_zero || (!has_plus && holds_at_zero))
    return holds_at_zero;
  simplex_add(simplex, row, test->bound, test->is_strict);
  return true;
}

// The delays over the smallest denominator.
static bool keep(StopTimes *s, const Simplex *simplex, int64_t max_denominator) {
  int64_t common = simplex->denominator;
  for (uint32_t d = 0; d < simplex->columns; d++)
    common = text_divisor(common, simplex->values.items[d]);
  vec_clear(&s->delays);
  for (uint32_t d = 0; d < simplex->columns; d++)
    vec_push(s->arena->mem, &s->delays, simplex->values.items[d] / common);
  s->denominator = simplex->denominator / common;
  return s->denominator <= max_denominator;
}

SimplexResult stoptimes_solve(StopTimes *s, int64_t max_denominator) {
  Mem *mem = mem_part(s->arena->mem);
  Simplex simplex;
  simplex_init(&simplex, mem, s->stopped.size);
  int8_t *row = mem_alloc(mem, s->stopped.size + 1);
  bool is_possible = true;
  for (uint32_t i = 0; i < s->tests.size && is_possible; i++)
    is_possible = add_row(s, &s->tests.items[i], &simplex, row);
  SimplexResult result = is_possible ? simplex_solve(&simplex) : SIMPLEX_NONE;
  if (result == SIMPLEX_SOLVED && !keep(s, &simplex, max_denominator))
    result = SIMPLEX_GAVE_UP;
  mem_release_part(mem);
  return result;
}

void stoptimes_walk(StopWalk *w, const StopTimes *s) {
  *w = (StopWalk){.times = s, .values = ARENA_ARRAY(s->arena, int64_t, s->clocks)};
}

static void pass(StopWalk *w, uint32_t delay) {
  const int64_t passed = w->times->delays.items[delay];
  w->time += passed;
  for (ClockIndex x = 1; x < w->times->clocks; x++)
    if (!w->times->stopped.items[delay][x])
      w->values[x] += passed;
}

void stoptimes_next(StopWalk *w) {
  const StopTimes *s = w->times;
  while (w->event < s->events.size) {
    const StopEvent *event = &s->events.items[w->event++];
    if (event->kind == STOP_STEP)
      return;
    if (event->kind == STOP_DELAY)
      pass(w, event->delay);
    else
      w->values[event->update.x] =
          w->values[event->update.y] + event->update.constant * s->denominator;
  }
}
