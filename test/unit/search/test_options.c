// The table of options: consistent in itself, every value settable and echoed, every wrong one
// refused with a sentence.
#include "search/options.h"

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct Fixture {
  Mem mem;
  Report report;
  Options options;
  Text echo;
} Fixture;

static int setup(void **state) {
  static Fixture f;
  f = (Fixture){.echo = {.mem = &f.mem}};
  report_init(&f.report, &f.mem);
  options_init(&f.options);
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  Fixture *f = *state;
  report_release(&f->report);
  text_release(&f->echo);
  return f->mem.bytes != 0;
}

static const char *echo(Fixture *f, const char *name) {
  text_clear(&f->echo);
  options_value(&f->echo, &f->options, options_find(name));
  return text_chars(&f->echo);
}

static void assert_set(Fixture *f, const char *name, const char *value) {
  assert_true(options_set(&f->options, name, value, &f->report));
  assert_false(report_failed(&f->report));
  assert_string_equal(echo(f, name), value);
}

// The value is refused, nothing changes, and the error holds the words.
static void assert_refused(Fixture *f, const char *name, const char *value, const char *words) {
  Options before;
  memcpy(&before, &f->options, sizeof before); // padding too
  assert_false(options_set(&f->options, name, value, &f->report));
  assert_true(report_failed(&f->report));
  assert_non_null(strstr(text_chars(&f->report.error), words));
  assert_memory_equal(&f->options, &before, sizeof before);
  report_clear(&f->report);
}

static void test_table(void **state) {
  (void)state;
  assert_true(options_at(0));
  const OptionInfo *info;
  for (uint32_t i = 0; (info = options_at(i)); i++) {
    assert_ptr_equal(options_find(info->name), info);
    assert_true(info->help && *info->help);
    assert_int_equal(info->kind == OPTION_FLAG, !info->values);
    for (uint32_t k = 0; k < i; k++) {
      assert_string_not_equal(options_at(k)->name, info->name);
      assert_false(info->letter && options_at(k)->letter == info->letter);
      assert_false(info->offset != OPTION_COMMAND && options_at(k)->offset != OPTION_COMMAND &&
                   info->offset == options_at(k)->offset);
    }
    if (info->offset != OPTION_COMMAND)
      assert_true((info->initial || info->kind == OPTION_TEXT) &&
                  info->offset + sizeof(int) <= sizeof(Options));
  }
  assert_null(options_find("no-such-option"));
  assert_null(options_find(""));
}

static void test_defaults(void **state) {
  Fixture *f = *state;
  for (uint32_t i = 0; options_at(i); i++)
    if (options_at(i)->offset != OPTION_COMMAND)
      assert_string_equal(echo(f, options_at(i)->name),
                          options_at(i)->initial ? options_at(i)->initial : "");
  assert_false(f->options.effects & OPTION_ABSTRACTS);
}

static void test_all_choices(void **state) {
  Fixture *f = *state;
  const OptionInfo *info;
  for (uint32_t i = 0; (info = options_at(i)); i++) {
    if (info->offset == OPTION_COMMAND || info->kind != OPTION_CHOICE)
      continue;
    char values[200];
    assert_true(strlen(info->values) < sizeof values);
    strcpy(values, info->values);
    for (char *value = strtok(values, "|"); value; value = strtok(NULL, "|"))
      assert_set(f, info->name, value);
    assert_refused(f, info->name, "", info->values);
    if (strchr(info->values, '|'))
      assert_refused(f, info->name, info->values, info->values); // "a|b" is none of them
    assert_refused(f, info->name, "|", info->values);
  }
}

static void test_flags(void **state) {
  Fixture *f = *state;
  const OptionInfo *info;
  for (uint32_t i = 0; (info = options_at(i)); i++) {
    if (info->offset == OPTION_COMMAND || info->kind != OPTION_FLAG)
      continue;
    assert_set(f, info->name, "yes");
    assert_set(f, info->name, "no");
    assert_true(options_set(&f->options, info->name, NULL, &f->report));
    assert_string_equal(echo(f, info->name), "yes");
    assert_refused(f, info->name, "", "`yes` or `no`");
    assert_refused(f, info->name, "1", "`yes` or `no`");
  }
  assert_true(f->options.compact);
}

static void test_numbers(void **state) {
  Fixture *f = *state;
  const OptionInfo *info;
  for (uint32_t i = 0; (info = options_at(i)); i++) {
    if (info->offset == OPTION_COMMAND || info->kind != OPTION_NUMBER)
      continue;
    char text[40];
    const long long ends[] = {0, info->max};
    for (int e = 0; e < 2; e++) {
      snprintf(text, sizeof text, "%lld", ends[e]);
      assert_set(f, info->name, text);
      snprintf(text, sizeof text, "%lld", ends[e] + (e ? 1 : -1));
      assert_refused(f, info->name, text, info->name);
    }
    const char *const wrong[] = {"", "x", "1x", "1.5", "1 ", "99999999999999999999"};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++)
      assert_refused(f, info->name, wrong[w], "whole number");
  }
}

// The enumerations follow the order of the values.
static void test_enumerations(void **state) {
  Fixture *f = *state;
  const struct {
    const char *name, *value;
    int *field, expected;
  } rows[] = {
      {"engine", "zones", &f->options.engine, ENGINE_ZONES},
      {"abstraction", "alu", &f->options.abstraction, ABSTRACTION_ALU},
      {"abstraction", "am", &f->options.abstraction, ABSTRACTION_AM},
      {"abstraction", "extra-lu+", &f->options.abstraction, ABSTRACTION_EXTRA_LU_PLUS},
      {"abstraction", "extra-lu", &f->options.abstraction, ABSTRACTION_EXTRA_LU},
      {"abstraction", "extra-m+", &f->options.abstraction, ABSTRACTION_EXTRA_M_PLUS},
      {"abstraction", "extra-m", &f->options.abstraction, ABSTRACTION_EXTRA_M},
      {"abstraction", "none", &f->options.abstraction, ABSTRACTION_NONE},
      {"bounds", "local", &f->options.bounds, BOUNDS_LOCAL},
      {"bounds", "global", &f->options.bounds, BOUNDS_GLOBAL},
      {"order", "bfs", &f->options.order, ORDER_BFS},
      {"order", "dfs", &f->options.order, ORDER_DFS},
      {"trace", "none", &f->options.trace, TRACE_NONE},
      {"trace", "symbolic", &f->options.trace, TRACE_SYMBOLIC},
      {"trace", "concrete", &f->options.trace, TRACE_CONCRETE},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    *rows[i].field = -1;
    assert_set(f, rows[i].name, rows[i].value);
    assert_int_equal(*rows[i].field, rows[i].expected);
  }
}

static void test_effects(void **state) {
  Fixture *f = *state;
  assert_set(f, "order", "dfs");
  assert_refused(f, "abstraction", "extra", "extra-lu+");
  assert_int_equal(f->options.effects, OPTION_TUNES | OPTION_ORDERS);
  assert_set(f, "abstraction", "alu"); // also the default, if named
  assert_int_equal(f->options.effects,
                   OPTION_TUNES | OPTION_ORDERS | OPTION_NAMES | OPTION_ABSTRACTS);
}

static void test_unknown(void **state) {
  Fixture *f = *state;
  assert_refused(f, "abstracton", "alu", "did you mean `abstraction`?");
  assert_refused(f, "time_limit", "1", "did you mean `time-limit`?");
  assert_refused(f, "", "1", "no option ``");
  assert_refused(f, "json", "1", "option of the command");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_table, setup, teardown),
      cmocka_unit_test_setup_teardown(test_defaults, setup, teardown),
      cmocka_unit_test_setup_teardown(test_all_choices, setup, teardown),
      cmocka_unit_test_setup_teardown(test_flags, setup, teardown),
      cmocka_unit_test_setup_teardown(test_numbers, setup, teardown),
      cmocka_unit_test_setup_teardown(test_enumerations, setup, teardown),
      cmocka_unit_test_setup_teardown(test_effects, setup, teardown),
      cmocka_unit_test_setup_teardown(test_unknown, setup, teardown),
  };
  return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
