// Claims of nodes that leave out transitions: each is right or breaks a rule.
#include "check/leftout.h"

#include "reading.h"

// p and q are urgent and independent; r sets v, which p reads in B; s waits for x == 2, and t
// for x >= 2. Of the two bounds of s, the first is no matter.
static const char model[] =
    "system:s\nevent:a\nclock:1:x\nint:1:0:3:0:v\nint:1:0:1:1:w\nprocess:p\nprocess:q\nprocess:"
    "r\nprocess:s\nprocess:t\n"
    "location:p:A{initial: : urgent:}\nlocation:p:B{urgent:}\nlocation:p:C{}\n"
    "edge:p:A:C:a{}\nedge:p:B:C:a{provided: v == 1}\n"
    "location:q:A{initial: : urgent:}\nlocation:q:B{}\nedge:q:A:B:a{}\n"
    "location:r:A{initial:}\nlocation:r:B{}\nedge:r:A:B:a{do: v = 1}\n"
    "location:s:A{initial: : invariant: x <= w+3 && x <= 2}\nlocation:s:B{}\n"
    "edge:s:A:B:a{provided: x >= 2}\n"
    "location:t:A{initial:}\nlocation:t:B{}\nedge:t:A:B:a{provided: x >= 2}\n";

typedef struct Case {
  int p, q; // locations
  uint32_t reason;
  const char *set;      // names of processes
  const char *goal;     // location of which process must not be entered: `r` or `s`
  const char *says;     // part of the reason; NULL: it holds
  const char *left_out; // names of the processes whose transitions may be missing
} Case;

static Goal goal_of(Reading *r, const char *process) {
  // r.B or s.B: a test of its location.
  const ProcessId p = net_find_process(&r->net, process);
  Goal goal;
  const Expr *at = expr_at(&r->net.arena, (Place){0}, "B", r->net.location_slot + p, 1);
  assert_true(goal_build(&goal, &r->net.arena, at, false, (Place){0}, &r->report));
  return goal;
}

static void check(const Case *c) {
  Reading r;
  StateTransitions outgoing;
  LeftOut leftout;
  reading_accept(&r, model);
  const Goal goal = goal_of(&r, c->goal);
  statetransitions_init(&outgoing, &r.mem, &r.net);
  leftout_init(&leftout, &r.mem, &r.net, &goal);
  int32_t state[8] = {0};
  state[r.net.location_slot] = c->p;
  state[r.net.location_slot + 1] = c->q;
  assert_null(statetransitions_find(&outgoing, state));
  bool in[5] = {false};
  for (const char *name = c->set; *name; name++)
    in[net_find_process(&r.net, (char[2]){*name, 0})] = true;
  const ClockIndex clocks[] = {0, 1};
  const uint32_t position[] = {0, 1};
  const int64_t bounds[] = {0, 2};
  const NodeBounds all = {2, clocks, bounds, bounds, position, NULL, 0};
  const NodeBound zone[] = {NODEBOUND_ZERO, NODEBOUND_ZERO, 2 * 2 + 1, NODEBOUND_ZERO};
  const ReducedSet claim = {c->reason, net_find_process(&r.net, "s"), 1, in};
  const char *why = leftout_refuse(&leftout, &outgoing, zone, &all, &claim);
  if (!c->says != !why || (why && !strstr(why, c->says)))
    fail_msg("%s: %s", c->set, why ? why : "accepted");
  for (uint32_t i = 0; !why && i < outgoing.list.size; i++) {
    const TransitionEdges list = outgoing.transitions.list.items[outgoing.list.items[i].ordinal];
    const Edge *edge = outgoing.transitions.edges.items[list.first];
    const bool expected = strchr(c->left_out, *r.net.processes.items[edge->process].name);
    assert_int_equal(leftout_allows(&leftout, &outgoing.list.items[i]), expected);
  }
  reading_drop(&r);
}

static void test_claims(void **unused) {
  (void)unused;
  const Case cases[] = {
      {0, 0, CERTIFY_STILL_URGENT, "p", "s", "condition true", ""}, // s can enter B
      {0, 0, CERTIFY_STILL_URGENT, "ps", "s", NULL, "qrt"},
      {0, 0, CERTIFY_STILL_URGENT, "p", "r", "condition true", ""},
      {0, 0, CERTIFY_STILL_URGENT, "pr", "r", NULL, "qst"},
      {1, 0, CERTIFY_STILL_URGENT, "ps", "s", "guard true", ""}, // r sets v
      {1, 0, CERTIFY_STILL_URGENT, "prs", "s", NULL, "qt"},
      {0, 0, CERTIFY_STILL_URGENT, "rs", "s", "stand still", ""},
      {0, 0, CERTIFY_STILL_COMMITTED, "ps", "s", "stand still", ""},
      {0, 0, CERTIFY_STILL_CHANNEL, "ps", "s", "stand still", ""},
      {2, 1, CERTIFY_STILL_BOUND, "s", "s", NULL, "t"}, // r can move before x is 2
      {2, 1, CERTIFY_STILL_BOUND, "r", "s", "stand still", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check(&cases[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_claims)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
