#include "plan/compose.h"

#include "analysis/symmetry/symmetry.h"
#include "language/tchecker/tck_writer.h"
#include "language/uppaal/uppaal.h"
#include "language/uppaal/xml_writer.h"
#include "language/uppaal/xta_text.h"
#include "language/uppaal/xta_writer.h"
#include "output/complete.h"
#include "output/convert.h"
#include "output/estimates.h"
#include "output/junit.h"
#include "output/manual.h"
#include "output/netjson.h"
#include "output/page.h"
#include "output/processgraph.h"
#include "output/trace_text.h"
#include "plan/choice.h"
#include "plan/randomrun.h"
#include "plan/simulating.h"
#include "plan/suites.h"

#include <errno.h>
#include <string.h>

int compose_put(Report *report, FILE *file, Text *text) {
  const bool ok = fwrite(text_chars(text), 1, text->size, file) == text->size && !fflush(file);
  text_release(text);
  if (ok)
    return 0;
  report_error(report, (Place){0}, "cannot write: %s", strerror(errno));
  return -1;
}

// Declarations are written as they stand in the file.
static bool keeps_constants(Tarn *tarn) {
  const char *define = tarn->net->origin.define;
  if (define)
    report_error(&tarn->report, (Place){0},
                 "%s: a model of UPPAAL keeps the constants of its file in .xta and .xml: "
                 "--define %.*s has no effect; use --to tck, or change the file",
                 tarn->source.name, (int)strcspn(define, "\n"), define);
  return !define;
}

static bool compose_xta(Tarn *tarn, Text *text) {
  const Document *document = uppaal_document(tarn->net);
  if (!document)
    return xta_write(text, tarn->net, &tarn->report);
  if (!keeps_constants(tarn))
    return false;
  Arena arena = {.mem = &tarn->mem};
  const bool ok = xta_text_write(text, &arena, document, tarn->query_nodes, &tarn->report);
  arena_release(&arena);
  return ok;
}

// A model in TChecker's language is first written as .xta.
static bool compose_xml(Tarn *tarn, Text *text) {
  const Document *document = uppaal_document(tarn->net);
  Arena arena = {.mem = &tarn->mem}; // coordinates stay with the tree: until the session ends
  Net net = {0};
  Text xta = {.mem = &tarn->mem};
  Source source;
  bool ok = !document || keeps_constants(tarn);
  net_init(&net, &tarn->mem);
  if (!document) {
    ok = xta_write(&xta, tarn->net, &tarn->report);
    source = (Source){.name = tarn->source.name, .text = text_chars(&xta), .size = xta.size};
    ok = ok && uppaal_read(&net, &source, &tarn->report);
    document = uppaal_document(&net);
  }
  if (ok)
    xml_write(text, &arena, document, tarn->query_nodes);
  net_release(&net);
  text_release(&xta);
  return ok;
}

// On the page, each of several runs of an answer is an answer of its own.
static bool compose_page(Tarn *tarn, Text *text) {
  Answers shown = {0};
  Arena arena = {.mem = &tarn->mem};
  for (uint32_t i = 0; i < tarn->answers.size; i++) {
    Answer *answer = tarn->answers.items[i];
    vec_push(&tarn->mem, &shown, answer);
    for (uint32_t k = 0; k < answer->more_count; k++) {
      Answer *copy = arena_copy(&arena, answer, sizeof *answer);
      Text name = {.mem = &tarn->mem};
      text_addf(&name, "%s (run %u)", answer->query ? answer->query : "", k + 2);
      copy->query = arena_keep(&arena, &name);
      copy->trace = answer->more[k].trace;
      copy->preferred = PREFER_ANY;
      vec_push(&tarn->mem, &shown, copy);
    }
  }
  const bool is_cut = page_write(text, tarn->net, &tarn->options, &shown);
  vec_release(&tarn->mem, &shown);
  arena_release(&arena);
  return is_cut;
}

// What tarn_write is asked for, as text; false if there is no such thing.
static bool compose_words(Tarn *tarn, Text *text, const char *what, const char *format) {
  const bool is_text = !strcmp(format, "text"), is_full = !strcmp(format, "full"),
             is_brief = !strcmp(format, "brief");
  const bool is_model = !strcmp(what, "model") && (is_text || !strcmp(format, "tck"));
  if ((is_model || !strcmp(what, "symmetry")) && !session_is_symbolic(tarn))
    return false;
  if (!strcmp(what, "model") && is_text) {
    tck_write(text, tarn->net);
  } else if (!strcmp(what, "model") && !strcmp(format, "json")) {
    netjson_write(text, tarn->net);
  } else if (!strcmp(what, "model") && !strcmp(format, "dot")) {
    processgraph_all(text, tarn->net);
  } else if (!strcmp(what, "certified") && (is_text || !strcmp(format, "json"))) {
    certified_write(text, &tarn->certified, !is_text);
  } else if (!strcmp(what, "symmetry") && is_text) {
    Arena arena = {.mem = &tarn->mem};
    Symmetry symmetry;
    symmetry_find(&symmetry, &arena, tarn->net);
    symmetry_print(text, &symmetry, tarn->net);
    arena_release(&arena);
  } else if (!strcmp(what, "answers") && !strcmp(format, "html")) {
    tarn->is_cut = compose_page(tarn, text);
  } else if (!strcmp(what, "answer") && !strcmp(format, "json")) {
    const Answers last = {&tarn->answers.items[tarn->answers.size - 1], 1, 1};
    answer_json(text, tarn->net, &tarn->options, &last);
  } else if (!strcmp(what, "model") && !strcmp(format, "xta")) {
    return compose_xta(tarn, text);
  } else if (!strcmp(what, "model") && !strcmp(format, "xml")) {
    return compose_xml(tarn, text);
  } else if (!strcmp(what, "model") && !strcmp(format, "tchecker")) {
    return convert_to_tchecker(text, tarn->net, &tarn->report);
  } else if (!strcmp(what, "lint") && tarn->lint_text.size && is_text) {
    text_add(text, text_chars(&tarn->lint_text));
  } else if (!strcmp(what, "lint") && tarn->lint_json.size && !strcmp(format, "json")) {
    text_add(text, text_chars(&tarn->lint_json));
  } else if (!strcmp(what, "cover") && suites_write(tarn, text, format)) {
  } else if (!strcmp(what, "estimate") && !strcmp(format, "uppaal")) {
    Answer *last = tarn->answers.items[tarn->answers.size - 1];
    if (last->estimate)
      estimates_uppaal(text, last->estimate);
  } else if (!strcmp(what, "run of the answer") && !strcmp(format, "uppaal")) {
    trace_text(text, &vec_last(&tarn->answers)->trace);
  } else if (!strcmp(what, "answer") && (is_text || is_full || is_brief)) {
    answer_text(text, vec_last(&tarn->answers),
                is_full   ? ANSWER_FULL_RUN
                : is_text ? ANSWER_RUN
                          : ANSWER_NO_RUN);
  } else if (!strcmp(what, "plan") && is_text) {
    text_add(text, text_chars(&tarn->planned));
  } else if (!strcmp(what, "stages") && is_text) {
    if (vec_last(&tarn->answers)->explanation)
      explanation_write_stages(text, vec_last(&tarn->answers)->explanation);
  } else if (!strcmp(what, "stats") && is_text) {
    const Answer *answer = vec_last(&tarn->answers);
    answer_stats(text, answer);
    const char *hint = choice_hint(answer, &tarn->mem, tarn->net);
    if (hint)
      text_addf(text, "  hint         %s\n", hint);
  } else if (!randomrun_write(tarn, text, what, format) &&
             !simulating_write(tarn, text, what, format)) {
    return report_error(&tarn->report, (Place){0}, "cannot write `%s` as `%s`", what, format);
  }
  return true;
}

// A report can be written in every state: it tells also the error of the call before.
static void compose_report(Tarn *tarn, Text *text, const char *format, const char *error) {
  if (strcmp(format, "json") != 0) {
    const bool is_one = !strcmp(format, "junit");
    const char *const path = tarn->path ? tarn->path : "model";
    tarn->is_cut = is_one
                       ? junit_write(text, tarn->state == EMPTY ? path : tarn->net->origin.name,
                                     &tarn->answers, error)
                       : junit_suite(text, path, &tarn->answers, error);
    return;
  }
  const Text *kept = &tarn->errors;
  const size_t length = strlen(error);
  Text errors = {.mem = &tarn->mem};
  text_add(&errors, text_chars(kept));
  if (length > kept->size || strcmp(text_chars(kept) + kept->size - length, error) != 0)
    text_add(&errors, error); // of a call that answers nothing
  if (tarn->state == EMPTY)
    answer_errors(text, tarn->path, text_chars(&tarn->warnings), text_chars(&errors));
  else
    answer_json_with(text, tarn->net, &tarn->options, &tarn->answers, text_chars(&tarn->warnings),
                     text_chars(&errors));
  text_release(&errors);
}

// Misuse is told by the name of the function that was called.
static bool is_report(const char *what, const char *format) {
  return !strcmp(what, "answers") &&
         (!strcmp(format, "junit") || !strcmp(format, "testsuite") || !strcmp(format, "json"));
}

bool compose(Tarn *tarn, Text *text, const char *what, const char *format, const char *function) {
  const bool is_of_answer =
      !strcmp(what, "answer") || !strcmp(what, "stats") || !strcmp(what, "stages");
  if (!tarn ||
      !(is_report(what, format) || tarn->state & (is_of_answer ? ANSWERED : LOADED | ANSWERED)))
    session_misuse(function);
  char *error =
      mem_copy_text(&tarn->mem, text_chars(&tarn->report.error), tarn->report.error.size);
  session_begin(tarn);
  jmp_buf escape;
  bool ok = false;
  // Answers are written even if a limit has been reached, and what there is to say is small.
  if (!strcmp(what, "model") || !strcmp(what, "symmetry") || !strcmp(what, "simulation"))
    session_limit(tarn);
  if (GUARD(tarn, escape))
    session_ran_out(tarn, " while the output was made");
  else if (is_report(what, format))
    compose_report(tarn, text, format, error), ok = true;
  else
    ok = compose_words(tarn, text, what, format);
  mem_free(&tarn->mem, error);
  session_unlimit(tarn);
  return ok;
}

// As snprintf does it: what has room, a NUL, and the length of all.
long compose_fill(char *buffer, size_t size, const Text *text) {
  if (size) {
    const size_t length = text->size < size ? text->size : size - 1;
    memcpy(buffer, text_chars(text), length);
    buffer[length] = 0;
  }
  return (long)text->size;
}

bool compose_help(Text *text, const char *topic, const char *format) {
  void (*whole)(Text *) = !strcmp(format, "man")    ? manual_page
                          : !strcmp(format, "bash") ? complete_bash
                          : !strcmp(format, "zsh")  ? complete_zsh
                                                    : NULL;
  if (!whole)
    return manual_topic(text, topic);
  whole(text);
  return true;
}
