// Nodes that are said to cover: renamed states and clocks, the wrong state, zones that are
// larger.
#include "check/subsumer.h"

#include "answers/certificates/certifiable.h"
#include "asymmetries.h"

// A certificate with one node: P is in A, Q in B, id is 2, and 0 <= x <= 1, 0 <= y <= 3.
typedef struct Fixture {
  Reading reading;
  RenamedFamily family;
  Certificate certificate;
  unsigned char bytes[6];
  uint32_t to[2], *families[1];
  int32_t state[4]; // id and the locations of P, Q, R
  Subsumer subsumer;
} Fixture;

static const ClockIndex clocks[] = {0, 1, 2};
static const uint32_t positions[] = {0, 1, 2};
static const int64_t infinite[] = {BOUND_INFINITE, BOUND_INFINITE, BOUND_INFINITE};
static const NodeBound box[] = {1, 1, 1, 3, 1, 3, 7, 7, 1};

static void begin(Fixture *f, bool is_renamed) {
  *f = (Fixture){.to = {1, 0}, .state = {2, 0, 1, 0}};
  Reading *r = &f->reading;
  reading_accept(r, symmetric_cases[0].model);
  const Family family = family_make(r, &symmetric_cases[0].draft);
  f->family = certifiable_family(&family, &r->arena, &r->net);
  f->families[0] = f->to;
  for (uint32_t i = 0, at = 0; i < 9; i++)
    if (i / 3 != i % 3)
      f->bytes[at++] = (unsigned char)(2 * box[i] + 1);
  Certificate *c = &f->certificate;
  *c = (Certificate){.mem = &r->mem,
                     .net = &r->net,
                     .bytes = f->bytes,
                     .size = sizeof f->bytes,
                     .max_k = 3,
                     .renamings = {&f->family, is_renamed},
                     .to = f->families};
  for (unsigned code = 0; code < 128; code++) // as the format has it
    c->short_bounds[code] =
        code ? (code & 1 ? (NodeBound)(code - 1) / 2 : -(NodeBound)code / 2) : NODEBOUND_INFINITE;
  assert_int_equal(r->net.slots.count, 4);
  vec_push(&r->mem, &c->bounds,
           ((NodeBounds){3, clocks, infinite, infinite, positions, NULL, 0}));
  vec_push(&r->mem, &c->nodes, ((CertificateNode){0}));
  vec_push(&r->mem, &c->modes, 0);
  for (uint32_t i = 0; i < 4; i++)
    vec_push(&r->mem, &c->states, f->state[i]);
  subsumer_init(&f->subsumer, &r->mem, c);
}

static void end(Fixture *f) {
  Certificate *c = &f->certificate;
  vec_release(c->mem, &c->bounds);
  vec_release(c->mem, &c->nodes);
  vec_release(c->mem, &c->modes);
  vec_release(c->mem, &c->states);
  reading_drop(&f->reading);
}

static void test_states(void **unused) {
  (void)unused;
  Fixture f;
  begin(&f, false);
  assert_ptr_equal(subsumer_rename(&f.subsumer, f.state), f.state);
  assert_true(subsumer_is_in(&f.subsumer, 0, f.state, 0));
  assert_false(subsumer_is_in(&f.subsumer, 0, f.state, 1)); // another mode
  assert_false(subsumer_is_in(&f.subsumer, 1, f.state, 0)); // there is no such node
  for (uint32_t i = 0; i < 4; i++) {
    f.state[i] ^= 1;
    assert_false(subsumer_is_in(&f.subsumer, 0, f.state, 0));
    f.state[i] ^= 1;
  }
  end(&f);
}

// P and Q change places, with them id and the clocks.
static void test_renamed(void **unused) {
  (void)unused;
  Fixture f;
  begin(&f, true);
  const int32_t other[] = {1, 1, 0, 0};
  assert_false(subsumer_is_in(&f.subsumer, 0, other, 0));
  const int32_t *renamed = subsumer_rename(&f.subsumer, other);
  assert_non_null(renamed);
  assert_true(subsumer_is_in(&f.subsumer, 0, renamed, 0));
  assert_int_equal(subsumer_clock(&f.subsumer, 1), 2);
  assert_int_equal(subsumer_clock(&f.subsumer, 2), 1);
  const Origin origin[] = {{0, 0}, {0, 5}, {2, 0}};
  const Origin *named = subsumer_origins(&f.subsumer, origin);
  assert_int_equal(named[1].y, 2);
  assert_int_equal(named[2].y, 0);
  assert_int_equal(named[2].d, 5);
  f.to[0] = 0; // 0 and 1 become 0
  assert_null(subsumer_rename(&f.subsumer, other));
  end(&f);
}

// With infinite bounds covering is inclusion.
static void test_zones(void **unused) {
  (void)unused;
  Fixture f;
  begin(&f, false);
  Origin origin[] = {{0, 0}, {1, 0}, {2, 0}};
  const NodeBounds *bounds = certificate_bounds(&f.certificate, 0);
  subsumer_enter(&f.subsumer, box, bounds, 0, origin);
  assert_true(subsumer_covers(&f.subsumer, 0));
  origin[1] = (Origin){0, 1}; // x = 1
  subsumer_enter(&f.subsumer, box, bounds, 0, origin);
  assert_true(subsumer_covers(&f.subsumer, 0));
  origin[1] = (Origin){0, 2}; // x = 2
  subsumer_enter(&f.subsumer, box, bounds, 0, origin);
  assert_false(subsumer_covers(&f.subsumer, 0));
  origin[1] = (Origin){2, 0}; // x = y
  subsumer_enter(&f.subsumer, box, bounds, 0, origin);
  assert_false(subsumer_covers(&f.subsumer, 0));
  end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_states),
                                     cmocka_unit_test(test_renamed),
                                     cmocka_unit_test(test_zones)};
  return cmocka_run_group_tests_name("subsumer", tests, NULL, NULL);
}
