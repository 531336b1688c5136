// What processes can do in zero time: edges that follow each other, kinds of writes, flags.
#include "check/zerotime.h"

#include "reading.h"

// P: A -(v = 1, x = 0)-> B -(x >= 1, w++)-> C, and B -> D, committed, which only a test of v
// leaves.
static const char model[] =
    "system:s\nprocess:P\nevent:a\nevent:b\nclock:1:x\nclock:1:y\nint:1:0:3:0:v\nint:1:0:3:0:w\n"
    "location:P:A{initial:}\nlocation:P:B{invariant: y <= 2}\nlocation:P:C{}\n"
    "location:P:D{committed:}\n"
    "edge:P:A:B:a{do: v = 1; x = 0}\nedge:P:B:C:b{provided: x >= 1 : do: w = w + 1}\n"
    "edge:P:B:D:a{}\nedge:P:D:C:a{provided: v == 2}\n";

typedef struct Fixture {
  Reading r;
  Arena arena;
  ZeroTime zero;
} Fixture;

static void begin(Fixture *f, const char *text) {
  reading_accept(&f->r, text);
  f->arena = (Arena){.mem = &f->r.mem};
  assert_true(zerotime_init(&f->zero, &f->arena, &f->r.net));
}

static void end(Fixture *f) {
  arena_release(&f->arena);
  reading_drop(&f->r);
}

static void test_deeds(void **unused) {
  (void)unused;
  Fixture f;
  begin(&f, model);
  const CellId v = zerotime_cell(&f.zero, 0), w = zerotime_cell(&f.zero, 1);
  const ZeroEdge *first = &f.zero.edges[0], *counts = &f.zero.edges[1];
  assert_true(bits_has(counts->own.ups, w));
  assert_false(bits_has(counts->own.writes, w));
  assert_false(bits_has(first->own.writes, v));
  assert_int_equal(f.zero.constants.size, 2); // v = 1 and x = 0
  assert_int_equal(counts->lower_count, 1);
  // x is reset: in zero time no test x >= 1 follows.
  assert_false(bits_has(first->all.ups, w));
  assert_true(bits_has(counts->all.ups, w));
  // The way to D is possible, and D may be stuck.
  assert_true(first->all.flags & DEED_STICKS);
  assert_false(first->own.flags & DEED_STICKS);
  assert_false(first->recurs);
  assert_true(bits_has(first->needs, f.zero.access.first_clock + 2)); // the target's invariant
  end(&f);
}

// A cycle that takes time, and one that does not.
static void test_recurring(void **unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    char text[300];
    Fixture f;
    snprintf(text, sizeof text,
             "system:s\nprocess:P\nevent:a\nclock:1:x\nlocation:P:A{initial:}\nlocation:P:B{}\n"
             "edge:P:A:B:a{do: x = 0}\nedge:P:B:A:a{%s}\n",
             i ? "provided: x >= 1" : "");
    begin(&f, text);
    assert_int_equal(f.zero.edges[0].recurs, !i);
    assert_int_equal(f.zero.edges[1].recurs, !i);
    end(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_deeds),
                                     cmocka_unit_test(test_recurring)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
