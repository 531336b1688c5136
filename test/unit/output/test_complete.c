// Completion: every option, topic and family is in both scripts.
#include "output/complete.h"

#include "language/gen/gen.h"
#include "output/manual.h"
#include "reading.h"
#include "search/options.h"

static void assert_complete(const char *script) {
  // The options of each command stand behind its name.
  for (CommandName command = COMMAND_CHECK; options_of_command(command, 0); command++) {
    char name[64];
    snprintf(name, sizeof name, "%s)\n", options_command(command)->name);
    const char *begin = strstr(script, name);
    assert_non_null(begin);
    const OptionInfo *info;
    for (uint32_t i = 0; (info = options_of_command(command, i)); i++) {
      snprintf(name, sizeof name, "--%s", info->name);
      const char *found = strstr(begin, name);
      assert_non_null(found);
    }
  }
  for (size_t i = 0; manual_topic_name(i); i++)
    assert_non_null(strstr(script, manual_topic_name(i)));
  for (int i = 0; gen_name(i); i++)
    assert_non_null(strstr(script, gen_name(i)));
  assert_non_null(strstr(script, "auto zones local"));
}

static void test_scripts(void **unused) {
  (void)unused;
  Mem mem = {0};
  Text text = {.mem = &mem};
  complete_bash(&text);
  assert_complete(text_chars(&text));
  text_clear(&text);
  complete_zsh(&text);
  assert_complete(text_chars(&text));
  assert_memory_equal(text_chars(&text), "#compdef tarn\n", 14);
  text_release(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_scripts)};
  return cmocka_run_group_tests_name("complete", tests, NULL, NULL);
}
