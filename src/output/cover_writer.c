#include "output/cover_writer.h"

#include "output/jsonparts.h"
#include "output/messages.h"

#include <jansson.h>
#include <string.h>

static uint32_t count(const Covered *covered, const char *status) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < covered->item_count; i++)
    found += !strcmp(covered->items[i].status, status);
  return found;
}

// The share of what is not known to be unreachable.
static double percent(const Covered *covered) {
  const uint32_t done = count(covered, "covered"), open = count(covered, "undecided");
  return done + open ? 100.0 * done / (done + open) : 100;
}

static uint32_t steps_of(const Answer *answer) { return answer->trace.run.step_count - 1; }

static void list(Text *text, const Covered *covered, const char *status) {
  for (uint32_t i = 0; i < covered->item_count; i++)
    if (!strcmp(covered->items[i].status, status))
      text_addf(text, "  %s\n", covered->items[i].name);
}

void cover_text(Text *text, const Covered *covered) {
  const uint32_t done = count(covered, "covered"), open = count(covered, "undecided"),
                 dead = count(covered, "unreachable");
  uint32_t steps = 0;
  for (uint32_t i = 0; i < covered->runs.size; i++)
    steps += steps_of(covered->runs.items[i]);
  text_addf(text, "%u of %u %s covered (%.4g %%) by %u run%s with %u steps\n", done, done + open,
            covered->goal, percent(covered), covered->runs.size,
            covered->runs.size == 1 ? "" : "s", steps);
  if (dead) {
    text_addf(text, "%u unreachable", dead);
    if (covered->is_accepted && !strcmp(covered->goal, "queries"))
      text_addf(text, "; each has a certificate, %s-N for query N, which was checked",
                covered->certificate);
    else if (covered->is_accepted && covered->certificate && covered->certificates)
      text_addf(text, "; the certificates %s-1 to %u were checked", covered->certificate,
                covered->certificates);
    else if (covered->is_accepted && covered->certificate)
      text_addf(text, "; the certificate %s was checked", covered->certificate);
    else if (covered->is_accepted)
      text_add(text, "; a certificate was made and checked");
    else if (covered->missing && *covered->missing)
      text_addf(text, "; without a certificate: %s", covered->missing);
    text_add(text, ":\n");
    list(text, covered, "unreachable");
  }
  if (open) {
    text_addf(text, "%u undecided%s%s:\n", open, covered->reason ? ", " : "",
              covered->reason ? covered->reason : "");
    list(text, covered, "undecided");
  }
}

static json_t *json_items(const Covered *covered) {
  json_t *items = json_array();
  for (uint32_t i = 0; i < covered->item_count; i++) {
    const CoveredItem *item = &covered->items[i];
    json_t *object = json_pack("{s:o, s:s, s:i}", "name", messages_text(item->name), "status",
                               item->status, "index", (int)item->index);
    if (!strcmp(covered->goal, "pairs"))
      json_object_set_new(object, "before", json_integer(item->before));
    json_object_set_new(object, "run", item->run ? json_integer(item->run) : json_null());
    json_array_append_new(items, object);
  }
  return items;
}

// What each run covers first.
static void add_covers(json_t *results, const Covered *covered) {
  size_t k;
  json_t *result;
  json_array_foreach(results, k, result) {
    json_t *covers = json_array();
    for (uint32_t i = 0; i < covered->item_count; i++)
      if (covered->items[i].run == k + 1)
        json_array_append_new(covers, messages_text(covered->items[i].name));
    json_object_set_new(result, "covers", covers);
  }
}

void cover_json(Text *text, const Net *net, const Options *options, const Covered *covered) {
  json_t *object = answer_object(text->mem, net, options, &covered->runs);
  json_object_set_new(object, "schema", json_string("cover-1.json"));
  json_object_del(object, "options");
  json_object_set_new(object, "goal", json_string(covered->goal));
  json_object_set_new(object, "covered", json_integer(count(covered, "covered")));
  json_object_set_new(object, "unreachable", json_integer(count(covered, "unreachable")));
  json_object_set_new(object, "undecided", json_integer(count(covered, "undecided")));
  json_object_set_new(object, "percent", json_real(percent(covered)));
  json_object_set_new(object, "reason",
                      covered->reason ? messages_text(covered->reason) : json_null());
  const bool is_missing = !covered->is_accepted && covered->missing && *covered->missing;
  json_t *certificate = covered->is_accepted || is_missing ? json_object() : json_null();
  if (is_missing) {
    json_object_set_new(certificate, "accepted", json_false());
    json_object_set_new(certificate, "file", json_null());
    json_object_set_new(certificate, "reason", messages_text(covered->missing));
  }
  if (covered->is_accepted) {
    json_object_set_new(certificate, "accepted", json_true());
    json_object_set_new(certificate, "file",
                        covered->certificate ? messages_text(covered->certificate) : json_null());
    json_object_set_new(certificate, "files", json_integer(covered->certificates));
  }
  json_object_set_new(object, "certificate", certificate);
  json_object_set_new(object, "items", json_items(covered));
  json_object_set_new(
      object, "search",
      json_pack("{s:I, s:I, s:I, s:f, s:f}", "visited", (json_int_t)covered->stats->visited,
                "stored", (json_int_t)covered->stats->stored, "transitions",
                (json_int_t)covered->stats->transitions, "seconds", covered->stats->seconds,
                "cpu_seconds", covered->stats->cpu_seconds));
  add_covers(json_object_get(object, "results"), covered);
  jsonparts_line(text, object, JSON_REAL_PRECISION(6));
}
