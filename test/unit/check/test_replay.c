// The replayer: accepts the runs that searches find, and rejects every run in which one thing
// is changed that matters.
#include "check/replay.h"

#include "searching.h"

// A copy of a run that can be changed.
typedef struct Mutant {
  Run run;
  RunStep *steps;
  int32_t **states;
  int64_t **clocks;
} Mutant;

static void *copy(Arena *arena, const void *from, size_t bytes) {
  void *to = arena_alloc(arena, bytes);
  memcpy(to, from, bytes);
  return to;
}

static void mutant_init(Mutant *m, Arena *arena, const Net *net, const Run *run) {
  m->run = *run;
  m->steps = copy(arena, run->steps, run->step_count * sizeof *run->steps);
  m->states = ARENA_ARRAY(arena, int32_t *, run->step_count);
  m->clocks = ARENA_ARRAY(arena, int64_t *, run->step_count);
  for (uint32_t i = 0; i < run->step_count; i++) {
    m->states[i] = copy(arena, run->steps[i].state, net->slots.count * sizeof(int32_t));
    m->clocks[i] = copy(arena, run->steps[i].clocks, (net->clock_count + 1) * sizeof(int64_t));
    m->steps[i].state = m->states[i];
    m->steps[i].clocks = m->clocks[i];
  }
  m->run.steps = m->steps;
}

static void drop_step(Mutant *m, uint32_t at) {
  for (uint32_t i = at; i + 1 < m->run.step_count; i++)
    m->steps[i] = m->steps[i + 1];
  m->run.step_count--;
}

// Changes something so that the run contradicts itself or the model; false if it cannot.
static bool mutate(Mutant *m, Arena *arena, const Net *net, Random *random) {
  const uint32_t count = m->run.step_count;
  const uint32_t at = random_below(random, count);
  const uint32_t slot = random_below(random, net->slots.count);
  switch (random_below(random, 8)) {
  case 0: // a location or a variable
    if (net->slots.min[slot] == net->slots.max[slot] || count == 1)
      return false; // one state alone may be replaced by another initial one
    m->states[at][slot] += m->states[at][slot] < net->slots.max[slot] ? 1 : -1;
    return true;
  case 1: // a clock
    if (!net->clock_count)
      return false;
    m->clocks[at][1 + random_below(random, net->clock_count)] += random_below(random, 2) ? 1 : -1;
    return true;
  case 2: // a delay: the clocks that the run states do not fit any more
    if (!net->clock_count || !at)
      return false;
    m->steps[at].time -= 1 + random_below(random, 3);
    for (uint32_t i = 0; i < count; i++)
      m->steps[i].clocks = i + 1 == count ? m->steps[i].clocks : NULL;
    return m->steps[at].time < m->steps[at - 1].time;
  case 3: // an edge that starts elsewhere
    if (!at)
      return false;
    {
      const Edge *edge = &net->edges.items[random_below(random, net->edges.size)];
      if (edge->source == m->steps[at].edges[0]->source)
        return false;
      const Edge **edges =
          copy(arena, m->steps[at].edges, m->steps[at].edge_count * sizeof *edges);
      edges[0] = edge;
      m->steps[at].edges = edges;
    }
    return true;
  case 4: // a step less: matters if it changed something
    if (!at || !memcmp(m->states[at], m->states[at - 1], net->slots.count * sizeof(int32_t)))
      return false;
    drop_step(m, at);
    return at < count - 1; // the last one's state may also be a goal
  case 5:                  // an edge less
    if (!at || m->steps[at].edge_count < 2)
      return false;
    m->steps[at].edge_count--;
    return true;
  case 6: // begins late
    m->steps[0].time++;
    return true;
  default: // the end before the last step
    m->run.end_time = m->steps[count - 1].time - 1;
    return true;
  }
}

static uint32_t try_mutants(const Search *s, const Run *run, Random *random, uint32_t tries) {
  Mem mem = {0};
  uint32_t rejected = 0;
  for (uint32_t i = 0; i < tries; i++) {
    Arena arena = {.mem = &mem};
    Text why = {.mem = &mem};
    Mutant m;
    mutant_init(&m, &arena, &s->reading.net, run);
    if (mutate(&m, &arena, &s->reading.net, random)) {
      const Goal *goal = s->query.formula ? &s->goal : NULL;
      if (replay_run(&mem, &s->reading.net, goal, &m.run, &why))
        fail_msg("a mutant is accepted in:\n%s", text_chars(&s->model));
      assert_true(why.size > 0);
      rejected++;
    }
    text_release(&why);
    arena_release(&arena);
  }
  assert_int_equal(mem.bytes, 0);
  return rejected;
}

static void test_mutants(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 11);
  uint32_t rejected = 0, runs = 0;
  for (int seed = 1; seed <= 250; seed++) {
    Search s;
    search_random(&s, seed, "processes=3");
    search_ask_random(&s, &random);
    Trace trace;
    if (search_run(&s) && s.result == REACH_GOAL &&
        trace_build(&trace, &s.mem, &s.reading.net, &s.goal, &s.reach, s.result, TRACE_CONCRETE,
                    NULL)) {
      Text why = {.mem = &s.mem};
      const Run run = trace.run;
      if (!replay_run(&s.mem, &s.reading.net, &s.goal, &run, &why))
        fail_msg("%s in:\n%s", text_chars(&why), text_chars(&s.model));
      rejected += try_mutants(&s, &run, &random, 20);
      runs++;
      text_release(&why);
      trace_release(&trace);
    }
    search_release(&s);
  }
  print_message("%u runs, %u mutants rejected\n", runs, rejected);
  assert_true(runs >= 50 && rejected >= 500);
}

// One model, one run, and what is said of each way to spoil it.
#define MODEL                                                                                    \
  "system:m\nevent:a\nevent:b\nclock:1:x\nclock:1:y\nint:1:0:2:0:n\nprocess:P\nprocess:Q\n"      \
  "location:P:A{initial: : invariant: x<=3}\nlocation:P:B{}\nlocation:P:C{urgent:}\n"            \
  "location:Q:A{initial:}\nlocation:Q:B{committed:}\n"                                           \
  "edge:P:A:B:a{provided: x>=2 && y<3 : do: x=0}\n"                                              \
  "edge:P:B:C:b{do: n=n+1}\nedge:P:C:B:b{}\nedge:Q:A:B:b{}\nedge:Q:B:A:b{provided: n==1}\n"

typedef struct Case {
  Reading r;
  const Edge *edges[5][1];
  RunStep steps[4];
  int32_t states[4][3];
  Run run;
} Case;

// A -> B at 5/2, B -> C at 4, Q: A -> B at 4; the goal is C at 4.
static void case_init(Case *c) {
  static const int32_t states[4][3] = {{0, 0, 0}, {0, 1, 0}, {1, 2, 0}, {1, 2, 1}};
  static const int64_t times[4] = {0, 5, 8, 8};
  static const int taken[4] = {0, 0, 1, 3};
  memset(c, 0, sizeof *c);
  reading_accept(&c->r, MODEL);
  memcpy(c->states, states, sizeof states);
  for (int i = 0; i < 5; i++)
    c->edges[i][0] = &c->r.net.edges.items[i];
  for (int i = 0; i < 4; i++)
    c->steps[i] = (RunStep){i ? c->edges[taken[i]] : NULL, i > 0, times[i], c->states[i], NULL};
  c->run = (Run){.steps = c->steps, .step_count = 4, .denominator = 2, .end_time = 8};
}

static void case_end(Case *c, const char *reason) {
  Text why = {.mem = &c->r.mem};
  const bool accepted = replay_run(&c->r.mem, &c->r.net, NULL, &c->run, &why);
  if (accepted != !reason || (reason && !strstr(text_chars(&why), reason)))
    fail_msg("`%s`, not `%s`", text_chars(&why), reason ? reason : "accepted");
  text_release(&why);
  reading_release(&c->r);
}

static void test_reasons(void **unused) {
  (void)unused;
  Case c;
  case_init(&c);
  case_end(&c, NULL);
  case_init(&c);
  c.steps[1].time = 3;
  case_end(&c, "step 1: the guard of P: A -> B does not hold: x >= 2, and it is 3/2");
  case_init(&c);
  c.steps[1].time = 7;
  case_end(&c, "step 1: the invariant of P.A after the delay does not hold: x <= 3");
  case_init(&c);
  c.steps[1].time = 6;
  case_end(&c, "step 1: the guard of P: A -> B does not hold: y < 3");
  case_init(&c);
  c.steps[2].time = 4;
  case_end(&c, "step 2: time goes backwards");
  case_init(&c);
  c.steps[3].time = c.run.end_time = 9;
  case_end(&c, "step 3: time passes in an urgent");
  case_init(&c);
  c.run.end_time = 9;
  case_end(&c, "the end: time passes in an urgent");
  case_init(&c);
  c.steps[3].edges = c.edges[4];
  case_end(&c, "step 3: these edges are no joint transition");
  case_init(&c);
  c.states[2][0] = 2;
  case_end(&c, "step 2: n is 1, not 2");
  case_init(&c);
  c.states[3][2] = 0;
  case_end(&c, "step 3: Q is in B");
  case_init(&c);
  c.states[0][1] = 1;
  case_end(&c, "step 0: P does not begin");
  case_init(&c);
  c.run.denominator = 0;
  case_end(&c, "denominator");
}

// Times whose differences overflow, and clocks that do.
static void test_extreme_times(void **unused) {
  (void)unused;
  static const int64_t times[] = {INT64_MIN,     INT64_MIN + 4, -(INT64_C(1) << 62), -5, -1,
                                  INT64_MAX - 4, INT64_MAX,     INT64_C(1) << 62};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
    const char *reason = times[i] < 0 ? "time goes backwards" : "the time is too large";
    Case c;
    case_init(&c);
    c.steps[2].time = c.steps[3].time = c.run.end_time = times[i];
    case_end(&c, reason);
    case_init(&c);
    c.run.end_time = times[i];
    case_end(&c, reason);
    int64_t clocks[3] = {0, times[i], times[i]};
    case_init(&c);
    c.steps[2].clocks = clocks;
    case_end(&c, "step 2: clock x is 3/2, not ");
  }
}

// Committed Q must move first.
static void test_committed(void **unused) {
  (void)unused;
  Case c;
  case_init(&c);
  c.steps[1] = c.steps[3];
  c.steps[1].time = 5;
  static const int32_t committed[3] = {0, 0, 1};
  c.steps[1].state = committed;
  c.steps[2] = (RunStep){c.edges[0], 1, 5, c.states[1], NULL};
  c.run.step_count = 3;
  case_end(&c, "step 2: these edges are no joint transition");
}

static void test_range(void **unused) {
  (void)unused;
  Case c;
  case_init(&c);
  RunStep steps[8] = {c.steps[0], c.steps[1], c.steps[2]};
  static const int32_t states[][3] = {{1, 1, 0}, {2, 2, 0}, {2, 1, 0}, {2, 2, 0}};
  for (int i = 0; i < 4; i++)
    steps[3 + i] = (RunStep){c.edges[i % 2 ? 1 : 2], 1, 8, states[i], NULL};
  c.run = (Run){.steps = steps, .step_count = 6, .denominator = 2, .end_time = 8};
  Text why = {.mem = &c.r.mem};
  assert_true(replay_run(&c.r.mem, &c.r.net, NULL, &c.run, &why));
  c.run.step_count = 7; // n would be 3
  case_end(&c, "step 6: an update fails");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mutants),       cmocka_unit_test(test_reasons),
      cmocka_unit_test(test_extreme_times), cmocka_unit_test(test_committed),
      cmocka_unit_test(test_range),
  };
  return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
