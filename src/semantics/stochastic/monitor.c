#include "semantics/stochastic/monitor.h"

#include <math.h>
#include <stdlib.h>

typedef struct Span {
  uint32_t position;
  double from, to;
} Span;
typedef VEC(Span) Spans;

static uint32_t list_atoms(const Mitl *f, const Expr **atoms, uint32_t count) {
  if (!f)
    return count;
  if (f->kind == MITL_ATOM) {
    if (count < MONITOR_MAX_ATOMS)
      atoms[count] = f->atom;
    return count + 1;
  }
  return list_atoms(f->b, atoms, list_atoms(f->a, atoms, count));
}

uint32_t monitor_atoms(const Mitl *f, const Expr **atoms) { return list_atoms(f, atoms, 0); }

double monitor_horizon(const Mitl *f) {
  if (!f || f->kind == MITL_ATOM)
    return 0;
  const double own = f->kind == MITL_UNTIL || f->kind == MITL_RELEASE ? f->high : 0;
  return own + fmax(monitor_horizon(f->a), monitor_horizon(f->b));
}

uint32_t monitor_steps(const Mitl *f) {
  if (!f || f->kind == MITL_ATOM)
    return 0;
  const uint32_t a = monitor_steps(f->a), b = monitor_steps(f->b);
  return (a > b ? a : b) + (f->kind == MITL_NEXT);
}

static double end_of(const Monitor *m, uint32_t position) {
  return position + 1 < m->positions.size ? m->positions.items[position + 1].start : m->end;
}

static void push(const Monitor *m, Spans *spans, uint32_t position, double from, double to) {
  const Span span = {position, from, to};
  if (from <= to)
    vec_push(m->mem, spans, span);
}

static int compare(const void *left, const void *right) {
  const Span *a = left, *b = right;
  if (a->position != b->position)
    return a->position < b->position ? -1 : 1;
  return (a->from > b->from) - (a->from < b->from);
}

// Sorts, and joins spans that meet.
static void tidy(Spans *spans) {
  uint32_t kept = 0;
  if (spans->size)
    qsort(spans->items, spans->size, sizeof(Span), compare);
  for (uint32_t k = 0; k < spans->size; k++) {
    const Span span = spans->items[k];
    Span *last = kept ? &spans->items[kept - 1] : NULL;
    if (last && last->position == span.position && span.from <= last->to)
      last->to = fmax(last->to, span.to);
    else
      spans->items[kept++] = span;
  }
  spans->size = kept;
}

static void complement(const Monitor *m, Spans *spans) {
  Spans result = {0};
  uint32_t k = 0;
  for (uint32_t p = 0; p < m->positions.size; p++) {
    double from = m->positions.items[p].start;
    const double end = end_of(m, p);
    bool is_full = k < spans->size && spans->items[k].position == p &&
                   spans->items[k].from <= from && spans->items[k].to >= end;
    for (; k < spans->size && spans->items[k].position == p; k++) {
      if (spans->items[k].from > from)
        push(m, &result, p, from, spans->items[k].from);
      from = spans->items[k].to;
    }
    if (!is_full && (from < end || end == m->positions.items[p].start))
      push(m, &result, p, from, end);
  }
  vec_release(m->mem, spans);
  *spans = result;
}

static void intersect(const Monitor *m, Spans *a, const Spans *b) {
  Spans result = {0};
  for (uint32_t i = 0, j = 0; i < a->size && j < b->size;) {
    const Span *x = &a->items[i], *y = &b->items[j];
    if (x->position == y->position)
      push(m, &result, x->position, fmax(x->from, y->from), fmin(x->to, y->to));
    if (x->position < y->position || (x->position == y->position && x->to <= y->to))
      i++;
    else
      j++;
  }
  vec_release(m->mem, a);
  *a = result;
}

// Whether the second span goes on where the first ends.
static bool continues(const Monitor *m, const Span *a, const Span *b) {
  return b->position == a->position + 1 && a->to >= end_of(m, a->position) &&
         b->from <= m->positions.items[b->position].start;
}

// Points from which the goal is at a distance in [low, high], by time and up to a position.
typedef struct Reach {
  double from, to;
  uint32_t position;
} Reach;
typedef VEC(Reach) Reaches;

static void add_reach(const Monitor *m, Reaches *reaches, const Mitl *f, double from, double to,
                      uint32_t position) {
  const Reach reach = {from - f->high, to - f->low, position};
  Reach *last = reaches->size ? &reaches->items[reaches->size - 1] : NULL;
  if (last && reach.from <= last->to) {
    last->to = fmax(last->to, reach.to);
    last->position = position > last->position ? position : last->position;
  } else {
    vec_push(m->mem, reaches, reach);
  }
}

// One chain of spans of `hold` without a gap, and the goals that it leads to.
static void reach_from(const Monitor *m, const Mitl *f, const Span *chain, uint32_t count,
                       const Spans *goal, uint32_t *next, Spans *result) {
  Reaches reaches = {0};
  const Span *last = &chain[count - 1];
  while (*next < goal->size && (goal->items[*next].position < chain->position ||
                                (goal->items[*next].position == chain->position &&
                                 goal->items[*next].to < chain->from)))
    ++*next;
  for (uint32_t k = *next; k < goal->size; k++) {
    const Span *g = &goal->items[k];
    const bool is_behind = g->position == last->position + 1 &&
                           last->to >= end_of(m, last->position) &&
                           g->from <= m->positions.items[g->position].start;
    if (g->position > last->position && !is_behind)
      break;
    if (is_behind) {
      add_reach(m, &reaches, f, g->from, g->from, g->position);
      break;
    }
    double low = g->from, high = g->to;
    if (g->position == chain->position)
      low = fmax(low, chain->from);
    if (g->position == last->position)
      high = fmin(high, last->to);
    if (low <= high)
      add_reach(m, &reaches, f, low, high, g->position);
  }
  for (uint32_t i = 0, r = 0; i < count && r < reaches.size; i++) {
    while (r < reaches.size && reaches.items[r].to < chain[i].from)
      r++;
    for (uint32_t k = r; k < reaches.size && reaches.items[k].from <= chain[i].to; k++)
      if (chain[i].position <= reaches.items[k].position)
        push(m, result, chain[i].position, fmax(chain[i].from, reaches.items[k].from),
             fmin(chain[i].to, reaches.items[k].to));
  }
  vec_release(m->mem, &reaches);
}

static void find(const Monitor *m, const Mitl *f, uint32_t *atom, Spans *spans);

static void find_until(const Monitor *m, const Mitl *f, const Spans *hold, const Spans *goal,
                       Spans *spans) {
  for (uint32_t k = 0; f->low <= 0 && k < goal->size; k++)
    vec_push(m->mem, spans, goal->items[k]);
  for (uint32_t begin = 0, end, next = 0; begin < hold->size; begin = end) {
    end = begin + 1;
    while (end < hold->size && continues(m, &hold->items[end - 1], &hold->items[end]))
      end++;
    reach_from(m, f, &hold->items[begin], end - begin, goal, &next, spans);
  }
  tidy(spans);
}

// a R b is !(!a U !b).
static void find_pair(const Monitor *m, const Mitl *f, uint32_t *atom, Spans *spans) {
  Spans a = {0}, b = {0};
  find(m, f->a, atom, &a);
  find(m, f->b, atom, &b);
  switch (f->kind) {
  case MITL_AND:
    intersect(m, &a, &b);
    *spans = a;
    a = (Spans){0};
    break;
  case MITL_OR:
    for (uint32_t k = 0; k < b.size; k++)
      vec_push(m->mem, &a, b.items[k]);
    tidy(&a);
    *spans = a;
    a = (Spans){0};
    break;
  case MITL_RELEASE:
    complement(m, &a);
    complement(m, &b);
    find_until(m, f, &a, &b, spans);
    complement(m, spans);
    break;
  default:
    find_until(m, f, &a, &b, spans);
  }
  vec_release(m->mem, &a);
  vec_release(m->mem, &b);
}

// The points whose next step is the one at this position.
static void add_before(const Monitor *m, uint32_t step, Spans *spans) {
  uint32_t first = step;
  if (!m->positions.items[step].is_step)
    return;
  while (first && (first == step || !m->positions.items[first].is_step))
    first--;
  for (uint32_t p = first; p < step; p++)
    push(m, spans, p, m->positions.items[p].start, end_of(m, p));
}

static void find(const Monitor *m, const Mitl *f, uint32_t *atom, Spans *spans) {
  *spans = (Spans){0};
  if (f->kind == MITL_ATOM) {
    for (uint32_t p = 0; p < m->positions.size; p++)
      if (m->positions.items[p].truths >> *atom & 1)
        push(m, spans, p, m->positions.items[p].start, end_of(m, p));
    ++*atom;
  } else if (f->kind == MITL_NOT) {
    find(m, f->a, atom, spans);
    complement(m, spans);
  } else if (f->kind == MITL_NEXT) {
    Spans later;
    find(m, f->a, atom, &later);
    for (uint32_t k = 0; k < later.size; k++)
      if (later.items[k].from <= m->positions.items[later.items[k].position].start)
        add_before(m, later.items[k].position, spans);
    vec_release(m->mem, &later);
  } else {
    find_pair(m, f, atom, spans);
  }
}

bool monitor_holds(Monitor *m, const Mitl *f) {
  Spans spans;
  uint32_t atom = 0;
  find(m, f, &atom, &spans);
  const bool holds = spans.size && spans.items[0].position == 0 &&
                     spans.items[0].from <= m->positions.items[0].start;
  vec_release(m->mem, &spans);
  return holds;
}
