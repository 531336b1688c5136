// The cheap test for deadlocks against the exact one (answers/queries/deadlock.h), on random
// states of random networks: where it is sure, the exact set is empty; where it is sure whatever
// the variables are, so are the sets of states that differ in them.
#include "answers/queries/deadlock.h"
#include "reading.h"

#include "base/random.h"

enum { NETWORKS = 3000, STATES = 12, MOST_VALUE = 3 };

typedef struct Maker {
  Random random;
  Text *text;
  uint32_t processes, clocks;
} Maker;

static uint32_t pick(Maker *m, uint32_t count) { return random_below(&m->random, count); }

static void add_upper(Maker *m) {
  const char *op = pick(m, 8) ? "<=" : "<";
  if (pick(m, 4))
    text_addf(m->text, "x%u %s %u", pick(m, m->clocks), op, pick(m, 6));
  else
    text_addf(m->text, "x%u %s v", pick(m, m->clocks), op);
}

static void add_invariant(Maker *m) {
  const uint32_t count = pick(m, 3);
  for (uint32_t i = 0; i < count; i++) {
    text_add(m->text, i ? " && " : " : invariant: ");
    if (pick(m, 10))
      add_upper(m);
    else
      text_addf(m->text, pick(m, 2) ? "w > %u" : "x0 >= %u", pick(m, 2));
  }
}

static void add_guard(Maker *m) {
  const uint32_t count = pick(m, 4);
  for (uint32_t i = 0; i < count; i++) {
    text_add(m->text, i ? " && " : " : provided: ");
    const uint32_t x = pick(m, m->clocks), c = pick(m, 6);
    switch (pick(m, 8)) {
    case 0:
      text_addf(m->text, "v <= %u", pick(m, MOST_VALUE + 1));
      break;
    case 1:
      text_addf(m->text, "x%u - x%u <= %u", x, pick(m, m->clocks), c);
      break;
    case 2:
      text_addf(m->text, "x%u == %u", x, c);
      break;
    case 3:
      add_upper(m);
      break;
    default:
      text_addf(m->text, "x%u %s %u", x, pick(m, 6) ? ">=" : ">", c);
    }
  }
}

static void add_update(Maker *m) {
  static const char *const others[] = {"v = v + 1", "w = 0", "v = 2", "u = u + w", "w = v"};
  const uint32_t count = pick(m, 4);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t x = pick(m, m->clocks);
    text_add(m->text, i ? "; " : " : do: ");
    if (!pick(m, 3))
      text_add(m->text, others[pick(m, 5)]);
    else if (!pick(m, 5))
      text_addf(m->text, "x%u = x%u", x, (x + 1) % m->clocks);
    else
      text_addf(m->text, "x%u = %u", x, pick(m, 3) ? 0 : pick(m, 5));
  }
}

static void make(Maker *m, uint64_t seed, Text *text) {
  random_seed(&m->random, seed);
  m->text = text;
  m->processes = 1 + pick(m, 3);
  m->clocks = 1 + pick(m, 3);
  text_add(text, "system:s\nevent:a\nevent:b\n");
  for (uint32_t x = 0; x < m->clocks; x++)
    text_addf(text, "clock:1:x%u\n", x);
  for (const char *v = "uvw"; *v; v++)
    text_addf(text, "int:1:0:%d:0:%c\n", MOST_VALUE, *v);
  for (uint32_t p = 0; p < m->processes; p++) {
    text_addf(text, "process:P%u\n", p);
    for (uint32_t l = 0; l < 2; l++) {
      text_addf(text, "location:P%u:l%u{%s", p, l, l ? "labels: one" : "initial:");
      if (!pick(m, 8))
        text_add(text, pick(m, 2) ? " : urgent:" : " : committed:");
      add_invariant(m);
      text_add(text, "}\n");
    }
    for (uint32_t e = 0; e < 3; e++) {
      text_addf(text, "edge:P%u:l%u:l%u:%c{number: 1", p, pick(m, 2), pick(m, 2),
                pick(m, 3) ? 'a' : 'b');
      add_guard(m);
      add_update(m);
      text_add(text, "}\n");
    }
  }
  if (m->processes > 1)
    text_add(text, "sync:P0@b:P1@b\n");
}

static void draw_values(Maker *m, int32_t *state) {
  for (uint32_t slot = 0; slot < 3; slot++)
    state[slot] = (int32_t)pick(m, MOST_VALUE + 1);
}

// Whether the exact set is empty, or a run-time error keeps it from being known.
static bool is_empty(Deadlocks *d, const int32_t *state) {
  const Federation *set = deadlocks_of(d, state);
  d->failure = NULL;
  return !set || !set->count;
}

typedef struct Sum {
  uint32_t states, empty, sure, always;
} Sum;

static void compare(Maker *m, const Reading *r, Deadlocks *d, Sum *sum) {
  int32_t state[8] = {0};
  draw_values(m, state);
  for (uint32_t p = 0; p < m->processes; p++)
    state[r->net.location_slot + p] = (int32_t)pick(m, 2);
  const bool flows = joint_can_delay(&d->joint, state);
  const bool is_sure = alive_is_sure(&d->alive, state, flows, false);
  const bool is_always = alive_is_sure(&d->alive, state, flows, true);
  sum->states++;
  sum->empty += is_empty(d, state);
  sum->sure += is_sure;
  sum->always += is_always;
  if (is_always && !is_sure)
    fail_msg("sure only without variables:\n%s", r->source.text);
  for (uint32_t i = 0; i < 3 && (is_always || (is_sure && !i)); i++, draw_values(m, state))
    if (!is_empty(d, state))
      fail_msg("deadlocked in %d %d %d, locations %d %d %d:\n%s", state[0], state[1], state[2],
               state[3], state[4], state[5], r->source.text);
}

static void test_agreement(void **unused) {
  (void)unused;
  Sum sum = {0};
  for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
    Maker m;
    Mem mem = {0};
    Text text = {.mem = &mem};
    Reading r;
    Deadlocks d;
    make(&m, seed, &text);
    reading_accept(&r, text_chars(&text));
    r.net.invalid_is_error = seed % 2; // as in UPPAAL's language
    deadlocks_init(&d, &r.mem, &r.net);
    d.asked = UINT64_MAX / 8; // the cheap test, it seems, never helps: not used by deadlocks_of
    for (uint32_t i = 0; i < STATES; i++)
      compare(&m, &r, &d, &sum);
    deadlocks_release(&d);
    reading_release(&r);
    mem_release(&mem);
  }
  // It is there to save most of the work.
  if (sum.sure < sum.empty / 2 || sum.always < sum.sure / 4 || sum.empty == sum.states)
    fail_msg("%u states, %u without deadlock: %u sure, %u always", sum.states, sum.empty,
             sum.sure, sum.always);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_agreement)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
