// Best runs: the shortest is as short as a search by depth says, the fastest is no slower than
// any run that the orders find, and is a run of its model.
#include "answers/runs/prefer.h"

#include "searching.h"

// Whether a goal is within `depth` transitions of the current node of an exact space.
static bool within(Space *space, Mem *mem, uint32_t depth) {
  if (space->is_goal(space))
    return true;
  if (!depth)
    return false;
  const size_t words = space->key_words * sizeof(uint64_t);
  uint64_t *key = mem_alloc(mem, words);
  memcpy(key, space->key, words);
  const uint32_t zone = space->keep(space);
  bool found = false;
  for (uint32_t ordinal = 0; !found && ordinal < 40; ordinal++) {
    space->load(space, key, zone);
    if (zones_replay(space, ordinal))
      found = within(space, mem, depth - 1);
    if (space->failure)
      break;
  }
  mem_free(mem, key);
  return found;
}

static bool reaches_within(Search *s, uint32_t depth) {
  Options options = s->options;
  options.abstraction = ABSTRACTION_NONE;
  Space *space = zones_new(&s->mem, &s->reading.net, &s->goal, &options, &s->reading.report);
  bool found = false;
  for (uint32_t i = 0; !found && zones_replay_initial(space, i); i++)
    found = within(space, &s->mem, depth);
  space_release(space);
  return found;
}

static void check_shortest(Search *s, const Preference *p, const Trace *any) {
  Trace shortest;
  assert_true(prefer_shortest(&shortest, p));
  const uint32_t length = shortest.run.step_count - 1;
  assert_true(length <= any->run.step_count - 1);
  if (length && length <= 4 && reaches_within(s, length - 1))
    fail_msg("a run is shorter than %u in:\n%s", length, text_chars(&s->model));
  trace_release(&shortest);
}

static void check_fastest(Search *s, const Preference *p, const Trace *any) {
  Net timed;
  net_measure(&timed, &s->reading.net, &s->reading.arena);
  Trace fastest;
  const int64_t max = (any->run.end_time + any->run.denominator - 1) / any->run.denominator;
  assert_true(prefer_fastest(&fastest, p, &timed, &s->query, max));
  assert_true(fastest.run.end_time * any->run.denominator <=
              any->run.end_time * fastest.run.denominator);
  Text why = {.mem = &s->mem};
  const Run run = fastest.run;
  assert_true(replay_run(&s->mem, &s->reading.net, &s->goal, &run, &why));
  trace_release(&fastest);
}

static void test_random(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 31);
  uint32_t seen = 0;
  for (int seed = 1; seed <= 120; seed++) {
    Search s;
    search_random(&s, seed, seed % 2 ? "processes=3" : NULL);
    search_ask_random(&s, &random);
    s.options.order = seed % 3 ? ORDER_DFS : ORDER_BFS;
    Trace any;
    if (search_run(&s) && s.result == REACH_GOAL &&
        trace_build(&any, &s.mem, &s.reading.net, &s.goal, &s.reach, REACH_GOAL, TRACE_CONCRETE,
                    NULL)) {
      const Preference p = {
          .mem = &s.mem, .net = &s.reading.net, .goal = &s.goal, .kind = TRACE_CONCRETE};
      check_shortest(&s, &p, &any);
      check_fastest(&s, &p, &any);
      trace_release(&any);
      seen++;
    }
    search_release(&s);
  }
  assert_true(seen >= 25);
}

// A budget ends the search for a shortest run, and only that.
static void test_budget(void **unused) {
  (void)unused;
  uint32_t found = 0, given_up = 0;
  for (int seed = 1; seed <= 240; seed++) {
    Search s;
    Random random;
    random_seed(&random, (uint64_t)seed);
    search_random(&s, seed, "processes=3");
    search_ask_random(&s, &random);
    if (search_run(&s) && s.result == REACH_GOAL) {
      Trace shortest, limited;
      Preference p = {
          .mem = &s.mem, .net = &s.reading.net, .goal = &s.goal, .kind = TRACE_CONCRETE};
      assert_true(prefer_shortest(&shortest, &p));
      p.max = 1 + (uint64_t)seed % 12;
      const bool has_run = prefer_shortest(&limited, &p);
      if (has_run) {
        assert_int_equal(limited.run.step_count, shortest.run.step_count);
        trace_release(&limited);
      }
      found += has_run;
      given_up += !has_run;
      trace_release(&shortest);
    }
    search_release(&s);
  }
  assert_true(found >= 5 && given_up >= 5);
}

// The shortest run to a deadlock ends in one.
static void test_deadlock(void **unused) {
  (void)unused;
  Search s = {0};
  reading_accept(&s.reading, "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\n"
                             "location:P:B{}\nlocation:P:C{}\nedge:P:A:B:a{}\nedge:P:B:C:a{}\n");
  options_init(&s.options);
  search_ask(&s, "E<> deadlock");
  const Preference p = {
      .mem = &s.mem, .net = &s.reading.net, .goal = &s.goal, .kind = TRACE_CONCRETE};
  Trace trace;
  assert_true(prefer_shortest(&trace, &p));
  assert_int_equal(trace.run.step_count, 3);
  trace_release(&trace);
  search_release(&s);
}

// A shortest run to an error, with a goal and without.
static void test_failure(void **unused) {
  (void)unused;
  Search s = {0};
  reading_accept(&s.reading, "system:s\nevent:a\nint:1:0:9:0:n\nint:2:0:9:0:v\nprocess:P\n"
                             "location:P:A{initial:}\nlocation:P:B{}\n"
                             "edge:P:A:A:a{do: v[n]=1; n=n+1}\nedge:P:A:B:a{}\n"
                             "edge:P:B:B:a{do: v[n+2]=1}\n");
  options_init(&s.options);
  search_ask(&s, "E<> n == 9");
  for (int has_goal = 0; has_goal < 2; has_goal++) {
    const Preference p = {.mem = &s.mem,
                          .net = &s.reading.net,
                          .goal = has_goal ? &s.goal : NULL,
                          .kind = TRACE_CONCRETE};
    PreferFailure failure;
    Trace trace;
    assert_true(prefer_failure(&trace, &p, &failure));
    assert_int_equal(trace.run.step_count, 2);
    assert_non_null(strstr(failure.text, "out of the bounds"));
    trace_release(&trace);
    assert_false(has_goal && prefer_shortest(&trace, &p));
  }
  search_release(&s);
}

// The long way takes 4 and a little, the short one 10.
#define WAYS                                                                                     \
  "system:ways\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\nlocation:P:B{}\n"         \
  "location:P:C{}\nlocation:P:D{}\nedge:P:A:B:a{provided: x>1 : do: x=0}\n"                      \
  "edge:P:B:C:a{provided: x>=1 : do: x=0}\nedge:P:C:D:a{provided: x>=2}\n"                       \
  "edge:P:A:D:a{provided: x>=10}\n"

static void test_ways(void **unused) {
  (void)unused;
  Search s = {0};
  reading_accept(&s.reading, WAYS);
  options_init(&s.options);
  s.options.order = ORDER_DFS;
  search_ask(&s, "E<> P.D");
  assert_true(search_run(&s) && s.result == REACH_GOAL);
  const Preference p = {
      .mem = &s.mem, .net = &s.reading.net, .goal = &s.goal, .kind = TRACE_CONCRETE};
  Trace trace;
  assert_true(prefer_shortest(&trace, &p));
  assert_int_equal(trace.run.step_count, 2);
  assert_int_equal(trace.run.end_time, 10 * trace.run.denominator);
  trace_release(&trace);
  Net timed;
  net_measure(&timed, &s.reading.net, &s.reading.arena);
  assert_true(prefer_fastest(&trace, &p, &timed, &s.query, 10));
  assert_int_equal(trace.run.step_count, 4);
  assert_true(trace.run.end_time > 4 * trace.run.denominator &&
              trace.run.end_time < 5 * trace.run.denominator);
  trace_release(&trace);
  search_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),   cmocka_unit_test(test_budget),
      cmocka_unit_test(test_deadlock), cmocka_unit_test(test_failure),
      cmocka_unit_test(test_ways),
  };
  return cmocka_run_group_tests_name("prefer", tests, NULL, NULL);
}
