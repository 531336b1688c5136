// Help and manual page: every topic is there and fits a terminal, and the page has everything.
#include "output/manual.h"

#include "search/options.h"
#include "search/statistics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// No line is longer than a terminal is wide, but for the lists of values of options.
static void assert_narrow(const char *text) {
  for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
    if (strcspn(line, "\n") > 92 && strncmp(line, "  -", 3) != 0)
      fail_msg("too long: %s", line);
}

static void test_topics(void **state) {
  (void)state;
  Mem mem = {0};
  static const char *const names[] = {"check", "certify", "simulate",  "show",
                                      "gen",   "options", "language",  "queries",
                                      "json",  "status",  "statistics"};
  Text overview = {.mem = &mem}, text = {.mem = &mem};
  assert_true(manual_topic(&overview, NULL));
  assert_narrow(text_chars(&overview));
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    text_clear(&text);
    assert_true(manual_topic(&text, names[i]));
    assert_true(text.size > 100);
    assert_narrow(text_chars(&text));
    assert_non_null(strstr(text_chars(&overview), names[i]));
  }
  assert_true(manual_topic(&text, "order"));
  assert_true(manual_topic(&text, "--order"));
  assert_false(manual_topic(&text, "disorder"));
  text_release(&overview);
  text_release(&text);
  assert_int_equal(mem.bytes, 0);
}

static void test_page(void **state) {
  (void)state;
  static const char *const sections[] = {"NAME",    "SYNOPSIS", "OPTIONS",    "MODELS",
                                         "QUERIES", "JSON",     "STATISTICS", "SIMULATE",
                                         "GEN",     "CERTIFY",  "SHOW",       "EXIT STATUS"};
  Mem mem = {0};
  Text page = {.mem = &mem}, line = {.mem = &mem};
  manual_page(&page);
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    text_clear(&line);
    text_addf(&line, "\n.SH %s\n", sections[i]);
    assert_non_null(strstr(page.chars, line.chars));
  }
  for (uint32_t i = 0; i < statistics_count(); i++)
    assert_non_null(strstr(page.chars, statistics_at(i)->name));
  text_release(&page);
  text_release(&line);
  assert_int_equal(mem.bytes, 0);
}

static void assert_has(const char *text, const char *before, const char *name,
                       const char *escape) {
  char word[64];
  size_t size = (size_t)snprintf(word, sizeof word, "%s%s", before, escape);
  size += (size_t)snprintf(word + size, sizeof word - size, "-%s-", escape);
  for (; *name; name++)
    size += (size_t)snprintf(word + size, sizeof word - size, "%s%c", *name == '-' ? escape : "",
                             *name);
  if (!strstr(text, word))
    fail_msg("no %s", word);
}

// Every option of every command is in the command's help, in the page and in its help by name.
static void test_commands(void **state) {
  (void)state;
  Mem mem = {0};
  Text page = {.mem = &mem}, text = {.mem = &mem};
  manual_page(&page);
  for (CommandName command = COMMAND_CHECK; options_command(command); command++) {
    const OptionInfo *info;
    if (command != COMMAND_HELP) {
      text_clear(&text);
      assert_true(manual_topic(&text, options_command(command)->name));
    }
    for (uint32_t i = 0; (info = options_of_command(command, i)); i++) {
      assert_has(text_chars(&text), "", info->name, "");
      assert_has(text_chars(&page), "\\fB", info->name, "\\");
      assert_non_null(strstr(text_chars(&page),
                             info->values && !strchr(info->values, '-') ? info->values : "tarn"));
    }
  }
  text_clear(&text);
  assert_true(manual_topic(&text, "seed"));
  assert_non_null(strstr(text_chars(&text), "tarn check, tarn sweep:\n  --seed N  (default: 0)"));
  assert_non_null(strstr(text_chars(&text), "tarn simulate:\n  --seed N  (default: 1)"));
  text_clear(&text);
  assert_true(manual_topic(&text, "quiet"));
  assert_null(strstr(text_chars(&text), "tarn"));
  text_release(&page);
  text_release(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_topics),
      cmocka_unit_test(test_page),
      cmocka_unit_test(test_commands),
  };
  return cmocka_run_group_tests_name("manual", tests, NULL, NULL);
}
