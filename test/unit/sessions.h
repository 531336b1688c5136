// Sessions and checks that are begun by hand, for the unit tests of src/plan.
#pragma once

#include "plan/checking.h"
#include "plan/choice.h"
#include "tarn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// One process, from A over B to C; x is at most 5 in A, and more than 3 on the way to B.
#define SESSIONS_SMALL                                                                           \
  "system:s\nevent:a\nclock:1:x\nint:1:0:3:0:n\nprocess:P\n"                                     \
  "location:P:A{initial: : invariant: x<=5}\nlocation:P:B{}\nlocation:P:C{labels: far}\n"        \
  "edge:P:A:B:a{provided: x>3 : do: x=0; n=n+1}\nedge:P:B:C:a{provided: x>=2}\n"

static inline Tarn *sessions_read(const char *model) {
  Tarn *tarn = tarn_init();
  if (tarn_read_text(tarn, model, "tchecker"))
    fail_msg("%s", tarn_error(tarn));
  return tarn;
}

static inline Tarn *sessions_generate(const char *family, const char *argument,
                                      const char *more) {
  static char text[1 << 16];
  Tarn *tarn = tarn_init();
  const char *arguments[] = {argument, more};
  assert_true(tarn_generate_buffer(tarn, text, sizeof text, family, more ? 2 : 1, arguments) > 0);
  if (tarn_read_text(tarn, text, "tchecker"))
    fail_msg("%s", tarn_error(tarn));
  return tarn;
}

// A check of a query (NULL: none), as plan/decide begins it.
static inline void sessions_begin(Check *check, Tarn *tarn, const char *query) {
  static Answer answers[8];
  static unsigned next;
  Answer *answer = &answers[next++ % 8];
  *answer = (Answer){.query = query, .options = tarn->options};
  *check = (Check){.tarn = tarn,
                   .model = tarn->net,
                   .net = tarn->net,
                   .answer = answer,
                   .arena = {.mem = &tarn->mem}};
  if (!query)
    return;
  if (!checking_read_query(check, handle_new(tarn, query, false)))
    fail_msg("%s", text_chars(&tarn->report.error));
}

// The same with an engine and a plan.
static inline void sessions_plan(Check *check, Tarn *tarn, const char *text) {
  sessions_begin(check, tarn, text);
  choice_make(check, &tarn->options);
  Options options = tarn->options;
  options.engine = (int)check->choice.engine;
  const Query *query = text ? &check->query : NULL;
  const Request request = {check->net, query, query ? &check->goal : NULL, &options, false,
                           false,      false};
  check->plan = plan_make(&check->arena, &request, false);
}

#define SESSIONS_MAIN(name, ...)                                                                 \
  int main(void) {                                                                               \
    const struct CMUnitTest tests[] = {__VA_ARGS__};                                             \
    return cmocka_run_group_tests_name(name, tests, NULL, NULL);                                 \
  }
