#include "output/lint_writer.h"

#include "output/jsonparts.h"
#include "output/messages.h"

#include <inttypes.h>
#include <jansson.h>

static uint32_t count(const Lint *lint, LintLevel level) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < lint->findings.size; i++)
    found += lint->findings.items[i].level == level;
  return found;
}

// Queries may have several lines: each finding has one.
static void add_line(Text *text, const char *chars) {
  for (; *chars; chars++)
    text_add_char(text, *chars == '\n' || *chars == '\r' || *chars == '\t' ? ' ' : *chars);
}

static void add_finding(Text *text, const Finding *finding, PlaceCursor *cursor) {
  report_next_place(text, finding->place, cursor);
  text_addf(text, "%s%s: ", finding->place.source ? ": " : "", lint_level(finding->level));
  add_line(text, finding->text);
  text_addf(text, " [%s]\n", lint_kind(finding->kind));
}

static void add_count(Text *text, uint32_t number, const char *what) {
  text_addf(text, "%u %s%s", number, what, number == 1 ? "" : "s");
}

void lint_text(Text *text, const Lint *lint) {
  PlaceCursor cursor = {0};
  for (uint32_t i = 0; i < lint->findings.size; i++)
    add_finding(text, &lint->findings.items[i], &cursor);
  add_count(text, count(lint, LINT_WARNING), "warning");
  text_add(text, ", ");
  add_count(text, count(lint, LINT_NOTE), "note");
  text_addf(text, ", %u undecided; ", count(lint, LINT_UNDECIDED));
  if (lint->stop_reason)
    text_addf(text,
              "the search was cut (%s) after %" PRIu64
              " states: what it has not seen may still happen\n",
              lint->stop_reason, lint->stats->visited);
  else
    text_addf(text, "the search saw every state (%" PRIu64 " visited)\n", lint->stats->visited);
}

static json_t *finding_json(Mem *mem, const Finding *finding, PlaceCursor *cursor) {
  Text place = {.mem = mem};
  report_next_place(&place, finding->place, cursor);
  json_t *object = json_pack("{s:s, s:s, s:o, s:o}", "kind", lint_kind(finding->kind), "level",
                             lint_level(finding->level), "name", messages_text(finding->name),
                             "text", messages_text(finding->text));
  json_object_set_new(object, "place", place.size ? messages_text(place.chars) : json_null());
  text_release(&place);
  return object;
}

void lint_json(Text *text, const Lint *lint) {
  json_t *findings = json_array();
  PlaceCursor cursor = {0};
  for (uint32_t i = 0; i < lint->findings.size; i++)
    json_array_append_new(findings, finding_json(lint->mem, &lint->findings.items[i], &cursor));
  json_t *object = json_pack(
      "{s:s, s:s, s:s, s:o, s:i, s:i, s:i, s:{s:b, s:s?, s:I, s:I, s:f}}", "tarn", TARN_VERSION,
      "schema", "lint-1.json", "model", lint->net->origin.name, "findings", findings, "warnings",
      (int)count(lint, LINT_WARNING), "notes", (int)count(lint, LINT_NOTE), "undecided",
      (int)count(lint, LINT_UNDECIDED), "search", "complete", !lint->stop_reason, "reason",
      lint->stop_reason, "visited", (json_int_t)lint->stats->visited, "stored",
      (json_int_t)lint->stats->stored, "seconds", lint->stats->seconds);
  jsonparts_line(text, object, 0);
}
