// The space of runs under conditions on discrete states, on a model small enough to know it. That
// it decides as answers/queries/runs.h does is tested in test_liveness.c and
// test/fuzz/agree_queries.c.
#include "answers/queries/stateruns.h"

#include "reading.h"

static const char model[] =
    "system:s\nprocess:P\nevent:a\nclock:1:x\n"
    "location:P:A{initial: : invariant: x <= 2}\nlocation:P:B{invariant: x <= 2}\n"
    "location:P:C{}\nlocation:P:D{invariant: x <= 3}\n"
    "edge:P:A:B:a{provided: x >= 1 : do: x = 0}\nedge:P:B:A:a{do: x = 0}\n"
    "edge:P:B:C:a{}\nedge:P:B:D:a{}\n";

typedef struct Fixture {
  Reading r;
  Goal stay, start;
  RunsRules rules;
  Space *space;
} Fixture;

static void goal(Fixture *f, Goal *goal, const char *text) {
  Query query;
  char *copy = arena_text(&f->r.arena, text, strlen(text));
  Source *source = ARENA_NEW(&f->r.arena, Source);
  *source = (Source){.name = "query", .text = copy, .size = strlen(copy)};
  assert_true(query_read(&query, &f->r.arena, &f->r.net, source, &f->r.report));
  assert_true(goal_build(goal, &f->r.arena, query.formula, false, query.place, &f->r.report));
}

static void begin(Fixture *f, const char *stay, const char *start) {
  *f = (Fixture){0};
  reading_accept(&f->r, model);
  if (stay)
    goal(f, &f->stay, stay);
  if (start)
    goal(f, &f->start, start);
  f->rules =
      (RunsRules){.claim = {.stay = stay ? &f->stay : NULL, .start = start ? &f->start : NULL}};
}

static void open_space(Fixture *f) {
  f->space = stateruns_new(&f->r.mem, &f->r.net, &f->rules, &f->r.report);
  assert_non_null(f->space);
}

static void end(Fixture *f) {
  if (f->space)
    space_release(f->space);
  reading_release(&f->r);
}

static void test_admits(void **unused) {
  (void)unused;
#ifndef TARN_PLAIN
  Fixture f;
  begin(&f, "E<> P.A or P.B", NULL);
  assert_true(stateruns_admits(&f.r.net, &f.rules));
  f.rules.is_divergent = true;
  assert_false(stateruns_admits(&f.r.net, &f.rules));
  end(&f);
  begin(&f, "E<> P.A and x < 2", NULL);
  assert_false(stateruns_admits(&f.r.net, &f.rules));
  end(&f);
#endif
}

// Which locations follow one of A or B, and whether they are ends.
static void test_stay(void **unused) {
  (void)unused;
  Fixture f;
  begin(&f, "E<> not P.C", NULL);
  open_space(&f);
  Space *space = f.space;
  assert_true(space->initial(space));
  assert_int_equal(stateruns_end(space), RUNS_GOES_ON);
  assert_false(space->initial(space) && true);
  space->next_initial = 0;
  assert_true(space->initial(space));
  uint64_t key = *space->key;
  uint32_t zone = space->keep(space);
  space->open(space, &key, zone);
  assert_true(space->next(space)); // B
  assert_int_equal(stateruns_marks(space), RUNS_ACTION);
  assert_int_equal(stateruns_end(space), RUNS_GOES_ON);
  key = *space->key;
  zone = space->keep(space);
  assert_false(space->next(space));
  space->open(space, &key, zone);
  assert_true(space->next(space)); // A
  assert_true(space->next(space)); // D, not C; with LU bounds one cannot be sure that it is stuck
  assert_int_equal(stateruns_end(space), RUNS_UNCLEAR);
  assert_int_equal(stateruns_state(space, space->key)[f.r.net.location_slot], 3);
  assert_false(space->next(space));
  end(&f);
}

static void test_start(void **unused) {
  (void)unused;
  Fixture f;
  begin(&f, "E<> not P.A", "E<> P.B");
  open_space(&f);
  Space *space = f.space;
  assert_true(space->initial(space));
  assert_int_equal(stateruns_mode(space, space->key), 0);
  uint64_t key[2] = {space->key[0], space->key[1]};
  assert_int_equal(space->key_words, 2);
  space->open(space, key, space->keep(space));
  assert_true(space->next(space)); // B
  assert_int_equal(stateruns_marks(space), 0);
  assert_false(space->next(space) && space->ordinal == SPACE_DELAY); // P.B does not hold in A
  space->open(space, key, space->zone);
  assert_true(space->next(space));
  memcpy(key, space->key, sizeof key);
  space->open(space, key, space->keep(space));
  uint32_t hops = 0;
  while (space->next(space))
    hops += space->ordinal == SPACE_DELAY && stateruns_mode(space, space->key) == 1;
  assert_int_equal(hops, 1);
  end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_admits), cmocka_unit_test(test_stay),
                                     cmocka_unit_test(test_start)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
