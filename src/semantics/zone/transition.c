#include "semantics/zone/transition.h"

static void add_patch(const StateLayout *layout, Transition *t, WordPatch *words, uint32_t slot,
                      int32_t value) {
  const StateField *field = &layout->fields[slot];
  const uint64_t keep = ~(field->mask << field->shift);
  uint32_t i = 0;
  while (i < t->word_count && words[i].word != field->word)
    i++;
  if (i == t->word_count)
    words[t->word_count++] = (WordPatch){.word = field->word, .keep = ~(uint64_t)0};
  words[i].keep &= keep;
  words[i].set = (words[i].set & keep) | (uint64_t)((uint32_t)value - (uint32_t)field->low)
                                             << field->shift;
}

// Later ones over earlier ones.
static void add_patches(Arena *arena, const Net *net, const StateLayout *layout, Transition *t) {
  uint32_t count = t->edge_count;
  for (uint32_t i = 0; i < t->edge_count; i++)
    count += t->edges[i]->update.slot_update_count;
  WordPatch *words = ARENA_ARRAY(arena, WordPatch, count < layout->words ? count : layout->words);
  t->words = words;
  for (uint32_t i = 0; i < t->edge_count; i++) {
    const Update *update = &t->edges[i]->update;
    for (uint32_t u = 0; u < update->slot_update_count && !t->needs_update; u++)
      if (!net->slots.is_meta || !net->slots.is_meta[update->slot_updates[u].slot])
        add_patch(layout, t, words, update->slot_updates[u].slot, update->slot_updates[u].value);
    add_patch(layout, t, words, net->location_slot + t->edges[i]->process,
              (int32_t)net_index(net, t->edges[i]->target));
  }
}

static SlotTest slot_test(const StateLayout *layout, const Test *test) {
  const StateField *field = &layout->fields[test->slot];
  const uint32_t value = (uint32_t)test->value, op = test->op;
  const bool is_strict = op == EXPR_LT || op == EXPR_GT || op == EXPR_NE; // it is left out
  const uint32_t low = op == EXPR_LT || op == EXPR_LE ? (uint32_t)INT32_MIN : value + is_strict;
  const uint32_t high = op == EXPR_GT || op == EXPR_GE ? INT32_MAX : value - is_strict;
  SlotTest result = {.word = field->word,
                     .shift = field->shift,
                     .mask = (uint32_t)field->mask,
                     .base = (uint32_t)field->low - low,
                     .span = high - low};
  if (is_strict && result.span == UINT32_MAX) { // below the lowest, or above the highest
    result.mask = result.span = 0;
    result.base = 1;
  }
  return result;
}

static void add_shifts(const StateLayout *layout, Arena *arena, Transition *t) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < t->edge_count && !t->needs_update; i++)
    count += t->edges[i]->update.shift_count;
  Shift *shifts = count ? ARENA_ARRAY(arena, Shift, count) : NULL;
  t->shifts = shifts;
  for (uint32_t i = 0; i < t->edge_count && count; i++)
    for (uint32_t u = 0; u < t->edges[i]->update.shift_count; u++) {
      const SlotShift *shift = &t->edges[i]->update.shifts[u];
      const StateField *field = &layout->fields[shift->slot];
      shifts[t->shift_count++] = (Shift){.word = field->word,
                                         .shift = field->shift,
                                         .delta = shift->delta,
                                         .low = shift->low,
                                         .high = shift->high,
                                         .base = field->low,
                                         .keep = ~(field->mask << field->shift)};
    }
}

// Whether an edge counts a variable up or down that is no part of the state, or that another one
// changes: then the order matters.
static bool need_order(const Net *net, const Edge *const *edges, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t s = 0; s < edges[i]->update.shift_count; s++) {
      const uint32_t slot = edges[i]->update.shifts[s].slot;
      if (net->slots.is_meta && net->slots.is_meta[slot])
        return true;
      for (uint32_t k = 0; k < count; k++) {
        const Update *other = &edges[k]->update;
        for (uint32_t u = 0; k != i && u < other->slot_update_count; u++)
          if (other->slot_updates[u].slot == slot)
            return true;
        for (uint32_t u = 0; k != i && u < other->shift_count; u++)
          if (other->shifts[u].slot == slot)
            return true;
      }
    }
  return false;
}

static Constraint constraint_of(const ClockTest *test) {
  return (Constraint){test->i, test->j, bound_make(code_narrow(test->constant), test->strict)};
}

static ClockUpdate *add_clocks(ClockUpdate *clocks, const Update *update) {
  for (uint32_t u = 0; u < update->clock_update_count; u++)
    *clocks++ = update->clock_updates[u];
  return clocks;
}

// The tests and clock updates of all edges, one after the other.
static void add_lists(const Net *net, const StateLayout *layout, Arena *arena, Transition *t) {
  SlotTest *tests = ARENA_ARRAY(arena, SlotTest, t->test_count);
  Constraint *clock_tests = ARENA_ARRAY(arena, Constraint, t->guard_count);
  ClockUpdate *clocks = ARENA_ARRAY(arena, ClockUpdate, t->clock_count);
  t->tests = tests;
  t->guard = clock_tests;
  t->clocks = clocks;
  if (t->edge_count)
    clocks = add_clocks(clocks, &net->hooks.before);
  for (uint32_t i = 0; i < t->edge_count; i++) {
    const Guard *guard = &t->edges[i]->guard;
    for (uint32_t n = 0; n < guard->test_count; n++)
      *tests++ = slot_test(layout, &guard->tests[n]);
    for (uint32_t n = 0; n < guard->clock_test_count; n++)
      *clock_tests++ = constraint_of(&guard->clock_tests[n]);
    clocks = add_clocks(clocks, &t->edges[i]->update);
  }
  if (t->edge_count)
    add_clocks(clocks, &net->hooks.after);
  for (uint32_t n = 0; n < t->extra.count; n++)
    *clock_tests++ = constraint_of(&t->extra.items[n]);
}

static void add_update(Transition *t, const Update *update) {
  t->clock_count += update->clock_update_count;
  t->needs_update |= update->code && !update->has_shifts;
  t->needs_clocks |= update->has_dynamic_clocks;
}

Transition transition_make(Arena *arena, const Net *net, const StateLayout *layout,
                           const Edge *const *edges, uint32_t count, ClockTestList extra,
                           ClockTestList after) {
  Transition t = {.edges = edges,
                  .edge_count = count,
                  .extra = extra,
                  .after = after,
                  .guard_count = extra.count};
  int64_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    t.test_count += edges[i]->guard.test_count;
    t.guard_count += edges[i]->guard.clock_test_count;
    t.needs_guard |= edges[i]->guard.code != NULL;
    add_update(&t, &edges[i]->update);
  }
  if (count) {
    add_update(&t, &net->hooks.before);
    add_update(&t, &net->hooks.after);
  }
  t.needs_update |= (count && (net->hooks.before.stmts || net->hooks.after.stmts)) ||
                    need_order(net, edges, count);
  t.may_stray = t.needs_update && net->slots.control;
  add_lists(net, layout, arena, &t);
  add_patches(arena, net, layout, &t);
  add_shifts(layout, arena, &t);
  for (uint32_t i = 0; i < t.clock_count; i++) {
    t.has_copies |= t.clocks[i].y != 0 || t.clocks[i].constant != 0;
    t.needs_clocks |= t.clocks[i].constant < 0;
    sum += t.clocks[i].constant;
  }
  // Subtracting can make a clock negative, and adding much can leave the range of bounds: both
  // depend on the zone.
  t.needs_clocks |= sum > TRANSITION_LARGE;
  return t;
}
