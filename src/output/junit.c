#include "output/junit.h"

#include "output/excerpt.h"
#include "output/expectation.h"

#include <string.h>

static const char *query_of(const Answer *answer) {
  return answer->query ? answer->query : "all states";
}

// What is said of a case that did not pass: `kind` is failure or error. The message is one line;
// the details have at most so many bytes. Returns whether some are left out.
static bool add_fault(Text *text, const char *kind, const char *message, const char *details,
                      size_t max) {
  Text line = {.mem = text->mem}, escaped = {.mem = text->mem};
  text_add_bytes(&line, message, strcspn(message, "\n"));
  text_add_xml(&escaped, details);
  text_addf(text, "      <%s message=\"", kind);
  text_add_xml(text, text_chars(&line));
  text_add(text, "\">");
  const bool is_cut = excerpt_add(text, &escaped, max);
  text_addf(text, "</%s>\n", kind);
  text_release(&line);
  text_release(&escaped);
  return is_cut;
}

static bool is_passed(const Answer *answer) {
  const int met = expectation_met(answer->expectation, answer->verdict);
  return met >= 0 ? met
                  : answer->verdict == VERDICT_SATISFIED || answer->verdict == VERDICT_EXPLORED;
}

static bool is_failed(const Answer *answer) {
  return !is_passed(answer) &&
         (answer->verdict == VERDICT_SATISFIED || answer->verdict == VERDICT_NOT_SATISFIED);
}

static void begin_case(Text *text, const char *model, const char *name, double seconds) {
  text_add(text, "    <testcase classname=\"");
  text_add_xml(text, model);
  text_add(text, "\" name=\"");
  text_add_xml(text, name);
  text_addf(text, "\" time=\"%.3f\"", seconds);
}

static bool add_answer(Text *text, const char *model, const Answer *answer, size_t max) {
  begin_case(text, model, query_of(answer), answer->stats.seconds);
  if (is_passed(answer)) {
    text_add(text, "/>\n");
    return false;
  }
  Text details = {.mem = text->mem};
  answer_text(&details, answer, ANSWER_RUN);
  const bool is_failure = is_failed(answer);
  text_add(text, ">\n");
  const bool is_cut =
      add_fault(text, is_failure ? "failure" : "error",
                answer->verdict == VERDICT_SATISFIED       ? "satisfied, which is not expected"
                : answer->verdict == VERDICT_NOT_SATISFIED ? "not satisfied"
                : answer->reason                           ? answer->reason
                                                           : "not decided",
                text_chars(&details), max);
  text_add(text, "    </testcase>\n");
  text_release(&details);
  return is_cut;
}

static bool add_error(Text *text, const char *model, const char *error, size_t max) {
  begin_case(text, model, "error", 0);
  text_add(text, ">\n");
  const bool is_cut = add_fault(text, "error", error, error, max);
  text_add(text, "    </testcase>\n");
  return is_cut;
}

bool junit_suite(Text *text, const char *model, const Answers *answers, const char *error) {
  unsigned failures = 0, errors = *error != 0;
  double seconds = 0;
  for (uint32_t i = 0; i < answers->size; i++) {
    const Answer *answer = answers->items[i];
    failures += is_failed(answer);
    errors += !is_passed(answer) && !is_failed(answer);
    seconds += answer->stats.seconds;
  }
  text_add(text, "  <testsuite name=\"");
  text_add_xml(text, model);
  text_addf(text, "\" tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"0\" time=\"%.3f\">\n",
            answers->size + (*error != 0), failures, errors, seconds);
  // Half for all details: the rest is for what every case has.
  const size_t max = EXCERPT_MAX / 2 / (failures + errors + 1);
  bool is_cut = false;
  for (uint32_t i = 0; i < answers->size; i++)
    is_cut |= add_answer(text, model, answers->items[i], max);
  if (*error)
    is_cut |= add_error(text, model, error, max);
  text_add(text, "  </testsuite>\n");
  return is_cut;
}

bool junit_write(Text *text, const char *model, const Answers *answers, const char *error) {
  text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
  const bool is_cut = junit_suite(text, model, answers, error);
  text_add(text, "</testsuites>\n");
  return is_cut;
}
