// Runs read back from JSON: what the command prints is accepted, what is broken is refused with
// the place.
#include "plan/run_reader.h"

#include "output/answer.h"
#include "searching.h"

typedef struct Printed {
  Search s;
  Trace trace;
  Text json;
} Printed;

static bool printed_init(Printed *p, int seed, Random *random) {
  search_random(&p->s, seed, "processes=3");
  search_ask_random(&p->s, random);
  if (!search_run(&p->s) || p->s.result != REACH_GOAL ||
      !trace_build(&p->trace, &p->s.mem, &p->s.reading.net, &p->s.goal, &p->s.reach, REACH_GOAL,
                   TRACE_CONCRETE, NULL)) {
    search_release(&p->s);
    return false;
  }
  Answer answer = {.query = p->s.query_text,
                   .verdict = VERDICT_SATISFIED,
                   .has_trace = true,
                   .trace = p->trace};
  Answer *items[] = {&answer};
  const Answers answers = {items, 1, 1};
  p->json = (Text){.mem = &p->s.mem};
  answer_json(&p->json, &p->s.reading.net, &p->s.options, &answers);
  return true;
}

static void printed_release(Printed *p) {
  text_release(&p->json);
  trace_release(&p->trace);
  search_release(&p->s);
}

static const Net *same_net(void *net, const StoredRun *stored) {
  (void)stored;
  return net;
}

static void test_back(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 4);
  int seen = 0;
  for (int seed = 1; seed <= 60; seed++) {
    Printed p;
    if (!printed_init(&p, seed, &random))
      continue;
    seen++;
    Reading *r = &p.s.reading;
    const Source source = {.name = "run.json", .text = text_chars(&p.json), .size = p.json.size};
    StoredRuns runs = {0};
    Arena arena = {.mem = &p.s.mem};
    if (!run_read(&runs, &arena, same_net, &r->net, &source, &r->report))
      fail_msg("%s", text_chars(&r->report.error));
    assert_int_equal(runs.size, 1);
    assert_string_equal(runs.items[0].query, p.s.query_text);
    const Run *run = &runs.items[0].run;
    assert_int_equal(run->step_count, p.trace.run.step_count);
    for (uint32_t i = 0; i < run->step_count; i++) {
      const RunStep *step = &p.trace.run.steps[i];
      assert_int_equal(run->steps[i].time * p.trace.run.denominator,
                       step->time * run->denominator);
      assert_int_equal(run->steps[i].edge_count, step->edge_count);
      if (step->edge_count)
        assert_memory_equal(run->steps[i].edges, step->edges,
                            step->edge_count * sizeof *step->edges);
      assert_memory_equal(run->steps[i].state, step->state, r->net.slots.count * sizeof(int32_t));
    }
    Text why = {.mem = &p.s.mem};
    assert_true(replay_run(&p.s.mem, &r->net, &p.s.goal, run, &why));
    vec_release(&p.s.mem, &runs);
    arena_release(&arena);
    printed_release(&p);
  }
  assert_true(seen >= 10);
}

static void refuse(const char *json, const char *message) {
  Reading r;
  reading_accept(&r, PREAMBLE "edge:P:A:B:a{}\nedge:P:A:B:a{do: i=1}\nedge:P:B:A:b{}\n");
  const Source source = {.name = "run.json", .text = json, .size = strlen(json)};
  StoredRuns runs = {0};
  assert_false(run_read(&runs, &r.arena, same_net, &r.net, &source, &r.report));
  if (!strstr(reading_error(&r), message))
    fail_msg("`%s`, not `%s`", text_chars(&r.text), message);
  vec_release(&r.mem, &runs);
  reading_release(&r);
}

#define RUN(steps)                                                                               \
  "{\"results\": [{\"trace\": {\"kind\": \"concrete\", \"end_time\": 1, \"steps\": [" steps      \
  "]}}]}"
#define STATE                                                                                    \
  "\"locations\": {\"P\": \"A\", \"Q\": \"A\"}, \"variables\": {\"i\": 0, \"j\": 0, \"v[0]\": "  \
  "1, \"v[1]\": 1, \"v[2]\": 1, \"v[3]\": 1}"

#define LOOP(from)                                                                               \
  "{\"results\": [{\"trace\": {\"kind\": \"concrete\", \"end_time\": 1, \"loop\": " from         \
  ", \"steps\": [{\"time\": 0, " STATE "}]}}]}"

static void test_errors(void **unused) {
  (void)unused;
  refuse(LOOP("{}"), "`loop` needs `from`");
  refuse(LOOP("{\"from\": -1}"), "`loop` needs `from`");
  refuse(LOOP("{\"from\": 0}"), "`loop` needs `from`");
  refuse(LOOP("{\"from\": 9223372036854775807}"), "`loop` needs `from`");
  refuse("{", "not JSON");
  refuse("[]", "there is no concrete run");
  refuse("{\"results\": [{\"trace\": {\"kind\": \"symbolic\"}}]}", "there is no concrete run");
  refuse(RUN(""), "there are no steps");
  refuse(RUN("{}"), "a number is missing");
  refuse(RUN("{\"time\": \"1/0\"}"), "out of range");
  refuse(RUN("{\"time\": \"1x\"}"), "not a number");
  refuse(RUN("{\"time\": \"-4611686018427387904/2\"}"), "negative");
  refuse(RUN("{\"time\": -1}"), "negative");
  refuse(RUN("{\"time\": 9223372036854775807}"), "out of range");
  refuse(RUN("{\"time\": \"1/2147483648\"}"), "out of range");
  refuse(RUN("{\"time\": \"1/-2\"}"), "out of range");
  refuse(RUN("{\"time\": \"1/1073741789\"}, {\"time\": \"1/1073741783\"}"),
         "the denominators are too large");
  refuse(RUN("{\"time\": \"99999999999999999999\"}"), "not a number");
  refuse(RUN("{\"time\": 0, \"time\": 0}"), "not JSON");
  refuse(RUN("{\"time\": \"1/\"}"), "not a number");
  refuse(RUN("{\"time\": 0}"), "the value of a variable is missing");
  refuse(RUN("{\"time\": 0, \"locations\": {\"P\": \"Z\"}, \"variables\": {\"i\": 0, \"j\": 0, "
             "\"v[0]\": 1, \"v[1]\": 1, \"v[2]\": 1, \"v[3]\": 1}}"),
         "the location of a process is missing or unknown");
  refuse(RUN("{\"time\": 0, " STATE "}, {\"time\": 0, \"edges\": [{\"process\": \"P\"}], " STATE
             "}"),
         "step 1 of the run: there is no such edge");
  refuse(RUN("{\"time\": 0, " STATE "}, {\"time\": 0, \"edges\": [{\"process\": \"P\", "
             "\"source\": \"A\", \"target\": \"B\", \"event\": \"a\"}], " STATE "}"),
         "several edges are of this description");
  refuse(RUN("{\"time\": 0, " STATE
             "}, {\"time\": 0, \"edges\": [{\"index\": \"0\", \"process\": "
             "\"P\", \"source\": \"A\", \"target\": \"B\", \"event\": \"a\"}], " STATE "}"),
         "the index of an edge is not a number");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_back),
      cmocka_unit_test(test_errors),
  };
  return cmocka_run_group_tests_name("run_reader", tests, NULL, NULL);
}
