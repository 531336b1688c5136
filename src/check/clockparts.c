#include "check/clockparts.h"

#include "check/meaning.h"

void clockparts_init(ClockParts *p, Mem *mem, const Net *net, const Goal *stay,
                     const Goal *start) {
  *p = (ClockParts){.mem = mem, .stay = stay, .start = start, .n = net->clock_count + 1};
  p->zone = mem_alloc(mem, sizeof *p->zone * p->n * p->n);
  intern_init(&p->states, mem);
}

static bool constrain(ClockParts *p, const ClockTest *tests, uint32_t count) {
  bool ok = true;
  for (uint32_t t = 0; t < count && ok; t++)
    ok = nodezone_constrain(p->zone, p->n, tests[t].i, tests[t].j, nodebound_of(&tests[t]));
  return ok;
}

// Whether some point meets the invariant and the tests.
static bool has_points(ClockParts *p, const ClockPart *part) {
  nodezone_universal(p->zone, p->n);
  return constrain(p, p->invariant.items, p->invariant.size) &&
         constrain(p, p->tests.items + part->first, part->count);
}

// Appends the tests of a part once more, behind all others.
static ClockPart copy_of(ClockParts *p, const ClockPart *part) {
  const ClockPart copy = {p->tests.size, part->count};
  for (uint32_t t = 0; t < part->count; t++) {
    const ClockTest test = p->tests.items[part->first + t];
    vec_push(p->mem, &p->tests, test);
  }
  return copy;
}

// What is left of a piece without a clause, in `rest`.
static void cut(ClockParts *p, const ClockPart *piece, const ClockPart *clause) {
  for (uint32_t t = 0; t < clause->count; t++) {
    mem_tick(p->mem);
    ClockPart left = copy_of(p, piece);
    for (uint32_t before = 0; before < t; before++) {
      const ClockTest met = p->tests.items[clause->first + before];
      vec_push(p->mem, &p->tests, met);
    }
    const ClockTest test = p->tests.items[clause->first + t];
    const ClockTest outside = {test.j, test.i, -test.constant, !test.strict};
    vec_push(p->mem, &p->tests, outside);
    left.count += t + 1;
    if (has_points(p, &left))
      vec_push(p->mem, &p->rest, left);
    else
      p->tests.size = left.first;
  }
}

// The part of a clause: what those before it do not have.
static void add_pieces(ClockParts *p, const ClockPart *clause) {
  vec_clear(&p->pieces);
  vec_push(p->mem, &p->pieces, *clause);
  for (uint32_t i = 0; i < p->before.size; i++) {
    vec_clear(&p->rest);
    for (uint32_t k = 0; k < p->pieces.size; k++) {
      const ClockPart piece = p->pieces.items[k], before = p->before.items[i];
      cut(p, &piece, &before);
    }
    vec_clear(&p->pieces);
    for (uint32_t k = 0; k < p->rest.size; k++)
      vec_push(p->mem, &p->pieces, p->rest.items[k]);
  }
  for (uint32_t k = 0; k < p->pieces.size; k++)
    vec_push(p->mem, &p->list, p->pieces.items[k]);
  vec_push(p->mem, &p->before, *clause);
}

// The tests of a clause, if it can hold. False if not.
static bool find_clause(ClockParts *p, StateTransitions *a, const Guard *guard,
                        const int32_t *state, ClockPart *clause) {
  *clause = (ClockPart){p->tests.size, 0};
  vec_clear(&a->fresh);
  if (!statetransitions_guard_holds(a, guard, state, &a->fresh, &p->error) || p->error)
    return false;
  for (uint32_t t = 0; t < a->fresh.size; t++)
    vec_push(p->mem, &p->tests, a->fresh.items[t]);
  clause->count = a->fresh.size;
  if (has_points(p, clause))
    return true;
  p->tests.size = clause->first;
  return false;
}

static ClockPartsOf find(ClockParts *p, StateTransitions *a, const int32_t *state) {
  ClockPart clause;
  ClockPartsOf found = {.first = p->list.size};
  vec_clear(&p->before);
  vec_clear(&p->invariant);
  if (p->error || !statetransitions_invariants_hold(a, state, &p->invariant, &p->error))
    return found;
  meaning_goal(&a->vm, a->net, p->stay, state);
  for (uint32_t i = 0; p->stay && i < p->stay->clause_count && !p->error; i++)
    if (find_clause(p, a, &p->stay->clauses[i], state, &clause))
      add_pieces(p, &clause);
  found.count = p->list.size - found.first;
  found.first_start = p->list.size;
  meaning_goal(&a->vm, a->net, p->start, state);
  for (uint32_t i = 0; p->start && i < p->start->clause_count && !p->error; i++)
    if (find_clause(p, a, &p->start->clauses[i], state, &clause))
      vec_push(p->mem, &p->list, clause);
  found.start_count = p->list.size - found.first_start;
  return found;
}

ClockPartsOf clockparts_of(ClockParts *p, StateTransitions *a, const int32_t *state) {
  const size_t bytes = a->net->slots.count * sizeof *state;
  const uint32_t number = intern_number(&p->states, state, bytes) - 1;
  if (number == p->known.size)
    vec_push(p->mem, &p->known, find(p, a, state));
  return p->known.items[number];
}
