#include "plan/handle.h"

#include "language/query_reader.h"
#include "plan/rescale.h"

#include <string.h>

void handle_init(TarnQuery *asked, Tarn *tarn, const char *text, bool is_labels) {
  *asked = (TarnQuery){
      .text = text,
      .is_labels = is_labels,
      .source = {.name = is_labels ? "<labels>" : "<query>", .text = text, .size = strlen(text)},
      .place = {&asked->source, 0},
      .arena = {.mem = &tarn->mem},
      .error = {.mem = &tarn->mem},
  };
  text_add(&asked->error, ""); // it outlives calls that fail
}

void handle_clear(TarnQuery *asked) {
  arena_release(&asked->arena);
  text_release(&asked->error);
  asked->net_number = asked->wrong_number = 0;
}

TarnQuery *handle_new(Tarn *tarn, const char *text, bool is_labels) {
  const size_t size = strlen(text) + 1;
  TarnQuery *asked = mem_alloc(&tarn->mem, sizeof *asked + size);
  handle_init(asked, tarn, memcpy(asked + 1, text, size), is_labels);
  return asked;
}

void handle_add(Tarn *tarn, const Source *source, uint32_t begin, uint32_t end,
                const char *expectation, const char *position) {
  while (begin < end && strchr(" \t\r\n", source->text[begin]))
    begin++;
  while (end > begin && strchr(" \t\r\n", source->text[end - 1]))
    end--;
  TarnQuery *asked = ARENA_NEW(&tarn->query_arena, TarnQuery);
  *asked = (TarnQuery){
      .text = arena_text(&tarn->query_arena, source->text + begin, end - begin),
      .is_own = true,
      .place = {source, begin},
      .position = position,
      .expectation = expectation,
      .arena = {.mem = &tarn->mem},
      .error = {.mem = &tarn->mem},
  };
  text_add(&asked->error, "");
  vec_push(&tarn->mem, &tarn->queries, asked);
}

TarnQuery *handle_own(const Tarn *tarn, const char *text) {
  for (uint32_t i = 0; i < tarn->queries.size; i++)
    if (tarn->queries.items[i]->text == text)
      return tarn->queries.items[i];
  return NULL;
}

bool handle_parse(const Tarn *tarn, const TarnQuery *asked, Query *query, Arena *arena,
                  Report *report) {
  const Source *source = asked->place.source;
  const uint32_t begin = asked->place.offset;
  return asked->is_labels ? query_read_labels(query, arena, tarn->net, source, report)
                          : query_read_part(query, arena, tarn->net, source, begin,
                                            begin + strlen(asked->text), report);
}

bool handle_read(Tarn *tarn, TarnQuery *asked) {
  Report *report = &tarn->report;
  if (asked->net_number == tarn->net_number) {
    text_add(&report->warnings, asked->warnings);
    return true;
  }
  if (asked->wrong_number == tarn->net_number) {
    text_add(&report->error, text_chars(&asked->error));
    return false;
  }
  arena_release(&asked->arena);
  text_clear(&asked->error);
  asked->net_number = asked->wrong_number = 0;
  asked->age = mem_mark(&tarn->mem);
  Arena arena = {.mem = &tarn->mem};
  const size_t before = report->warnings.size;
  bool ok = handle_parse(tarn, asked, &asked->query, &arena, report);
  if (ok) {
    asked->model = rescale_query(&tarn->units, &asked->query, &arena);
    ok = query_goal(&asked->goal, &arena, asked->model, &asked->query, report);
  }
  if (!ok) {
    arena_release(&arena);
    if (asked->error.chars) { // else it was cleared: then the text would not outlive the call
      text_add(&asked->error, text_chars(&report->error));
      asked->wrong_number = tarn->net_number;
    }
    return false;
  }
  const Text *said = &report->warnings;
  asked->warnings = arena_text(&arena, text_chars(said) + before, said->size - before);
  asked->arena = arena;
  asked->net_number = tarn->net_number;
  return true;
}

void handle_release_to(Tarn *tarn, TarnQuery *asked, size_t mark) {
  units_forget(&tarn->units, mark); // which looks at what is released
  mem_release_to(&tarn->mem, mark);
  if (asked && asked->age >= mark) {
    asked->arena = (Arena){.mem = &tarn->mem};
    asked->net_number = 0;
  }
}
