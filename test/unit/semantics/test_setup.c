// The zone engine begins with all its parts, refuses what does not go together with a sentence,
// and gives all memory back.
#include "semantics/zone/setup.h"

#include "base/testbuild.h"
#include "spaces.h"

static void check_begin(bool is_local, const char *query) {
  const char *arguments[] = {"n=3"};
  Search s;
  search_generate(&s, "fischer", 1, arguments);
  if (query)
    search_ask(&s, query);
  s.space = (is_local ? local_new : zones_new)(&s.mem, &s.reading.net, query ? &s.goal : NULL,
                                               &s.options, &s.reading.report);
  assert_non_null(s.space);
  const Zones *zones = (const Zones *)s.space;
  assert_int_equal(s.space->is_goal == NULL, !query);
  assert_int_equal(s.space->key_words, zones->layout.words);
  assert_ptr_equal(s.space->key, zones->states.key);
  assert_true(s.space->exchange.message_bytes > s.space->key_words * sizeof(uint64_t));
  assert_int_equal(zones->results.is_on, !IS_PLAIN);
  assert_int_equal(s.space->speed.foresee == NULL, IS_PLAIN);
  assert_int_equal(zones->covering.probe.only_32, IS_PLAIN);
  assert_true(zones->max > 0);
  space_release(s.space);
  s.space = NULL;
  search_release(&s); // nothing is left
}

static void test_begin(void **state) {
  (void)state;
  for (int is_local = 0; is_local < 2; is_local++) {
    check_begin(is_local, NULL);
    check_begin(is_local, "E<> P1.cs && P2.cs");
  }
}

// Without an abstraction there are no clock bounds to be found.
static void test_no_bounds(void **state) {
  (void)state;
  const char *arguments[] = {"n=2"};
  Search s;
  search_generate(&s, "fischer", 1, arguments);
  s.options.abstraction = ABSTRACTION_NONE;
  s.space = spaces_new(&s, false);
  assert_non_null(s.space);
  assert_int_equal(((const Zones *)s.space)->max, 0);
  space_release(s.space);
  s.space = NULL;
  search_release(&s);
}

// What is refused is refused with a sentence, and leaves nothing.
static void check_refused(const char *model, bool is_local, int abstraction, const char *what) {
  Search s = {0};
  reading_accept(&s.reading, model);
  options_init(&s.options);
  s.options.abstraction = abstraction;
  s.options.effects |= OPTION_ABSTRACTS;
  assert_null(spaces_new(&s, is_local));
  assert_non_null(strstr(text_chars(&s.reading.report.error), what));
  search_release(&s);
}

static void test_refused(void **state) {
  (void)state;
  static const char diagonal[] = "system:s\nevent:e\nprocess:P\nclock:1:x\nclock:1:y\n"
                                 "location:P:a{initial:}\nedge:P:a:a:e{provided:x-y<1}\n";
  check_refused(diagonal, true, ABSTRACTION_ALU, "use --engine zones, or --abstraction none");
  check_refused(diagonal, false, ABSTRACTION_EXTRA_M_PLUS,
                "use --abstraction alu, am, closure or none");
}

SPACES_MAIN("setup", cmocka_unit_test(test_begin), cmocka_unit_test(test_no_bounds),
            cmocka_unit_test(test_refused))
