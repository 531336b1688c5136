// The checker of certificates: accepts what searches write, and rejects certificates in which
// something is changed that matters. What matters is known in two ways: the change breaks
// the certificate whatever the model is, or the claim is false.
#include "check/certify.h"

#include "drafts.h"

static const int abstractions[] = {ABSTRACTION_ALU, ABSTRACTION_AM, ABSTRACTION_EXTRA_LU_PLUS,
                                   ABSTRACTION_EXTRA_M};

static bool accepted(const Search *s, const Goal *goal, const Text *bytes, Text *why) {
  CertifyCounts counts;
  Mem mem = {0};
  Text reason = {.mem = &mem};
  const bool ok =
      certify_check(&mem, &s->reading.net, goal, bytes->chars, bytes->size, &counts, &reason);
  assert_true(ok == !reason.size);
  text_clear(why);
  text_add(why, text_chars(&reason));
  text_release(&reason);
  assert_int_equal(mem.bytes, 0);
  return ok;
}

// A random network searched to the end; false if it is not.
static bool searched(Search *s, int seed, Random *random, bool with_goal) {
  search_random(s, seed, random_below(random, 4) ? "processes=3" : "faults=1");
  s->options.abstraction = abstractions[random_below(random, 4)];
  // Bounds found during the search are for plain zones.
  const bool is_plain = s->options.abstraction <= ABSTRACTION_AM;
  s->options.bounds = (int)random_below(random, is_plain ? 4 : 2);
  s->options.order = (int)random_below(random, 2);
  s->options.seed = random_below(random, 3) ? 0 : seed;
  if (with_goal)
    search_ask_random(s, random);
  return search_run(s) && s->result == REACH_NONE;
}

static const Goal *goal_of(const Search *s) { return s->query.formula ? &s->goal : NULL; }

static void test_accepts(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 21);
  int seen = 0;
  for (int seed = 1; seed <= 300; seed++) {
    Search s;
    if (searched(&s, seed, &random, seed % 4)) {
      Text bytes = {.mem = &s.mem}, why = {.mem = &s.mem};
      draft_written(&s, &bytes);
      if (!accepted(&s, goal_of(&s), &bytes, &why))
        fail_msg("%s in:\n%s", text_chars(&why), text_chars(&s.model));
      // Also as the tests write it.
      Arena arena = {.mem = &s.mem};
      Draft draft;
      draft_read(&draft, &arena, &s.reading.net, &bytes);
      draft_write(&draft, &bytes);
      assert_true(accepted(&s, goal_of(&s), &bytes, &why));
      draft_release(&draft);
      arena_release(&arena);
      text_release(&bytes);
      text_release(&why);
      seen++;
    }
    search_release(&s);
  }
  assert_true(seen > 150);
}

static bool is_referred_to(const Draft *d, uint32_t node) {
  for (uint32_t i = 0; i < d->initials.size; i++)
    if (d->initials.items[i].node == node)
      return true;
  for (uint32_t n = 0; n < d->nodes.size; n++)
    for (uint32_t i = 0; i < d->nodes.items[n].hints.size; i++)
      if (d->nodes.items[n].hints.items[i].node == node)
        return true;
  return false;
}

// Changes something that no certificate survives; false if it cannot.
static bool break_draft(Draft *d, Random *random) {
  const uint32_t at = random_below(random, d->nodes.size);
  DraftNode *node = &d->nodes.items[at];
  const uint32_t k = node->k, i = random_below(random, k), j = random_below(random, k);
  const uint32_t h = node->hints.size ? random_below(random, node->hints.size) : 0;
  switch (random_below(random, 8)) {
  case 0: // a pair less
    node->dropped = true;
    return is_referred_to(d, at);
  case 1: // a successor less
    if (!node->hints.size)
      return false;
    for (uint32_t x = h; x + 1 < node->hints.size; x++)
      node->hints.items[x] = node->hints.items[x + 1];
    node->hints.size--;
    return true;
  case 2: { // another state's node
    if (!node->hints.size)
      return false;
    const uint32_t other = random_below(random, d->nodes.size);
    const bool differs =
        d->nodes.items[other].group != d->nodes.items[node->hints.items[h].node].group;
    node->hints.items[h].node = other;
    return differs;
  }
  case 3: // a bound that does not follow from the others any more
    if (i == j || node->matrix[i * k + j] >= NODEBOUND_INFINITE)
      return false;
    node->matrix[i * k + j] += 1 + random_below(random, 4);
    for (uint32_t l = 0; l < k; l++)
      if (l != i && l != j && node->matrix[i * k + l] < NODEBOUND_INFINITE &&
          node->matrix[l * k + j] < NODEBOUND_INFINITE &&
          node->matrix[i * k + l] + node->matrix[l * k + j] < node->matrix[i * k + j] - 1)
        return true;
    return false;
  case 4: // an empty zone
    if (i == j || node->matrix[i * k + j] >= NODEBOUND_INFINITE)
      return false;
    node->matrix[j * k + i] = -node->matrix[i * k + j] - 2;
    return true;
  case 5: // a location or a variable
    if (d->net->slots.count > 0) {
      const uint32_t slot = random_below(random, d->net->slots.count);
      int32_t *value = &d->states[node->group * d->net->slots.count + slot];
      if (d->net->slots.min[slot] == d->net->slots.max[slot])
        return false;
      *value += *value < d->net->slots.max[slot] ? 1 : -1;
    }
    return is_referred_to(d, at);
  case 6: // an initial state less
    if (!d->initials.size)
      return false;
    d->initials.size--;
    return true;
  default: // the zone of an initial node without its beginning
    if (!d->initials.size)
      return false;
    node = &d->nodes.items[d->initials.items[0].node];
    for (uint32_t x = 1; x < node->k; x++)
      if (node->upper[x] >= 0 && node->matrix[x] == NODEBOUND_ZERO) {
        node->matrix[x] = 0; // x > 0; tight or not
        return true;
      }
    return false;
  }
}

static void test_broken(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 22);
  uint32_t rejected = 0;
  for (int seed = 1; seed <= 200; seed++) {
    Search s;
    if (searched(&s, seed, &random, seed % 4)) {
      Text bytes = {.mem = &s.mem}, mutant = {.mem = &s.mem}, why = {.mem = &s.mem};
      draft_written(&s, &bytes);
      for (int i = 0; i < 25; i++) {
        Arena arena = {.mem = &s.mem};
        Draft draft;
        draft_read(&draft, &arena, &s.reading.net, &bytes);
        if (draft.nodes.size && break_draft(&draft, &random)) {
          draft_write(&draft, &mutant);
          if (accepted(&s, goal_of(&s), &mutant, &why))
            fail_msg("a mutant is accepted in:\n%s", text_chars(&s.model));
          rejected++;
        }
        draft_release(&draft);
        arena_release(&arena);
      }
      text_release(&bytes);
      text_release(&mutant);
      text_release(&why);
    }
    search_release(&s);
  }
  print_message("%u broken certificates rejected\n", rejected);
  assert_true(rejected >= 1000);
}

// A false claim: whatever is done to the nodes of the whole state space, the goal that can be
// reached must not come out as unreachable.
static void forge(Draft *d, const Search *s, Vm *vm, Random *random) {
  for (uint32_t n = 0; n < d->nodes.size; n++) {
    DraftNode *node = &d->nodes.items[n];
    const int32_t *state = d->states + (size_t)node->group * d->net->slots.count;
    uint32_t clause = 0;
    ClockTests tests = {0};
    const bool is_suspect = goal_clause(&s->goal, vm, state, &clause, &tests) == VM_TRUE;
    const uint32_t way = random_below(random, is_suspect ? 4 : 40);
    if (way == 0)
      node->dropped = true;
    for (uint32_t i = 1; i < node->k; i++) {
      if (way == 1) // bounds so small that no test is seen
        node->lower[i] = node->upper[i] = random_below(random, 2) ? BOUND_NONE : 0;
      if (way == 2) // so large that all are
        node->lower[i] = node->upper[i] = BOUND_INFINITE;
    }
    if (way == 3 && node->k > 1) { // a smaller zone: only clocks at the lower end, closed again
      const uint32_t x = 1 + random_below(random, node->k - 1);
      const NodeBound bound = random_below(random, 12);
      if (node->matrix[x] + bound >= 1 && bound < node->matrix[x * node->k])
        for (uint32_t a = 0; a < node->k; a++)
          for (uint32_t b = 0; b < node->k; b++) {
            const NodeBound p = node->matrix[a * node->k + x], q = node->matrix[b];
            const NodeBound way_round = p + bound - ((p | bound) & 1) + q - 1;
            if (p < NODEBOUND_INFINITE && q < NODEBOUND_INFINITE && a != b &&
                way_round < node->matrix[a * node->k + b])
              node->matrix[a * node->k + b] = way_round;
          }
    }
    vec_release(vm->mem, &tests);
  }
  // Successors that have lost their node get another one of the same state.
  for (uint32_t n = 0; n < d->nodes.size; n++)
    for (uint32_t i = 0; i < d->nodes.items[n].hints.size; i++) {
      DraftHint *hint = &d->nodes.items[n].hints.items[i];
      for (int tries = 0; d->nodes.items[hint->node].dropped && tries < 4; tries++) {
        const uint32_t other = random_below(random, d->nodes.size);
        if (d->nodes.items[other].group == d->nodes.items[hint->node].group)
          hint->node = other;
      }
    }
}

static void test_forged(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 23);
  uint32_t rejected = 0;
  for (int seed = 1; seed <= 250; seed++) {
    Search s;
    if (searched(&s, seed, &random, false)) {
      Text bytes = {.mem = &s.mem}, mutant = {.mem = &s.mem}, why = {.mem = &s.mem};
      draft_written(&s, &bytes);
      search_end(&s);
      search_ask_random(&s, &random);
      s.options.abstraction = ABSTRACTION_ALU;
      Vm vm;
      net_vm(&s.reading.net, &vm, &s.mem);
      if (search_run(&s) && s.result == REACH_GOAL)
        for (int i = 0; i < 20; i++) {
          Arena arena = {.mem = &s.mem};
          Draft draft;
          draft_read(&draft, &arena, &s.reading.net, &bytes);
          forge(&draft, &s, &vm, &random);
          draft_write(&draft, &mutant);
          if (accepted(&s, &s.goal, &mutant, &why))
            fail_msg("a false claim `%s` is accepted in:\n%s", s.query_text,
                     text_chars(&s.model));
          rejected++;
          draft_release(&draft);
          arena_release(&arena);
        }
      vm_release(&vm);
      text_release(&bytes);
      text_release(&mutant);
      text_release(&why);
    }
    search_release(&s);
  }
  print_message("%u false claims rejected\n", rejected);
  assert_true(rejected >= 1000);
}

// With bounds only where they are needed, a goal that contradicts itself needs none.
static void test_contradictory_goals(void **unused) {
  (void)unused;
  static const char *const queries[] = {"E<> x >= 1 && x <= 0", "E<> x < 0", "E<> x > 3 && x < 3",
                                        "A[] x <= 1 || x >= 2 || x > 1"};
  for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
    Search s = {0};
    reading_accept(&s.reading, "system:m\nevent:a\nclock:1:x\nprocess:P\n"
                               "location:P:l0{initial:}\nedge:P:l0:l0:a{provided: x>=2}\n");
    options_init(&s.options);
    s.options.bounds = BOUNDS_LAZY;
    search_ask(&s, queries[i]);
    assert_true(search_run(&s) && s.result == REACH_NONE);
    Text bytes = {.mem = &s.mem}, why = {.mem = &s.mem};
    draft_written(&s, &bytes);
    if (!accepted(&s, &s.goal, &bytes, &why))
      fail_msg("%s: %s", queries[i], text_chars(&why));
    text_release(&bytes);
    text_release(&why);
    search_release(&s);
  }
}

// No bytes crash the reader; what is cut off is refused.
static void test_damaged(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 24);
  Search s;
  const char *const arguments[] = {"3"};
  search_generate(&s, "fischer", 1, arguments);
  search_ask(&s, "E<> P1.cs && P2.cs");
  assert_true(search_run(&s) && s.result == REACH_NONE);
  Text bytes = {.mem = &s.mem}, why = {.mem = &s.mem};
  draft_written(&s, &bytes);
  for (size_t size = 0; size < bytes.size; size += 1 + size / 50) {
    const Text cut = {.mem = &s.mem, .chars = bytes.chars, .size = size};
    assert_false(accepted(&s, &s.goal, &cut, &why));
  }
  for (int i = 0; i < 3000; i++) {
    const uint32_t at = random_below(&random, (uint32_t)bytes.size);
    const char old = bytes.chars[at];
    bytes.chars[at] = (char)random_below(&random, 256);
    accepted(&s, &s.goal, &bytes, &why);
    bytes.chars[at] = old;
  }
  assert_true(accepted(&s, &s.goal, &bytes, &why));
  text_release(&bytes);
  text_release(&why);
  search_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_accepts), cmocka_unit_test(test_broken),
      cmocka_unit_test(test_forged),  cmocka_unit_test(test_contradictory_goals),
      cmocka_unit_test(test_damaged),
  };
  return cmocka_run_group_tests_name("certify", tests, NULL, NULL);
}
