#include "base/report.h"

#include "base/vec.h"

#include <string.h>

enum { SHOWN_COLUMNS = 100 }; // longer lines are cut around the caret

void report_init(Report *report, Mem *mem) {
  *report = (Report){.error = {.mem = mem}, .warnings = {.mem = mem}};
}

void report_cut(Report *report, uint32_t size) {
  for (MessageList *list = report->list; list && list->size > size;)
    mem_free(report->error.mem, list->items[--list->size].text);
}

void report_release(Report *report) {
  text_release(&report->error);
  text_release(&report->warnings);
  report->warning_count = 0;
}

void report_clear(Report *report) {
  text_clear(&report->error);
  text_clear(&report->warnings);
  report->warning_count = report->error_count = 0;
  report->last_error = (Place){0};
  report_cut(report, 0);
}

uint32_t report_text_begin(const Source *source) {
  return source->size >= 3 && !memcmp(source->text, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

typedef struct Line {
  size_t begin, end; // offsets, without the newline
  unsigned number, column;
} Line;

// From the line of a place before it on.
static Line find_line_from(Line line, Place place) {
  const Source *source = place.source;
  size_t offset = place.offset < source->size ? place.offset : source->size;
  offset = offset < line.begin ? line.begin : offset;
  for (const char *end;
       (end = memchr(source->text + line.begin, '\n', offset - line.begin)) != NULL;) {
    line.number++;
    line.begin = (size_t)(end - source->text) + 1;
  }
  line.end = line.begin;
  while (line.end < source->size && source->text[line.end] != '\n')
    line.end++;
  line.column = (unsigned)(offset - line.begin) + 1;
  return line;
}

static Line find_line(Place place) {
  return find_line_from((Line){.begin = report_text_begin(place.source), .number = 1}, place);
}

void report_place(Text *text, Place place) { report_next_place(text, place, &(PlaceCursor){0}); }

void report_next_place(Text *text, Place place, PlaceCursor *cursor) {
  if (!place.source)
    return;
  const bool is_behind =
      cursor->last.source == place.source && cursor->last.offset <= place.offset;
  const Line line =
      is_behind ? find_line_from((Line){.begin = cursor->begin, .number = cursor->line}, place)
                : find_line(place);
  *cursor = (PlaceCursor){place, line.begin, line.number};
  if (place.source->part)
    text_addf(text, "%s:%u: %s", place.source->name, line.number + place.source->first_line - 1,
              place.source->part);
  else
    text_addf(text, "%s:%u:%u", place.source->name, line.number, line.column);
}

// Whether this byte is not the first of its character (UTF-8).
static bool is_inside(char byte) { return ((unsigned char)byte & 0xC0) == 0x80; }

// The source line, control characters as blanks (a tab stays one column), and a caret. No
// character is cut, and each is as wide as another.
static void add_excerpt(Text *text, Place place) {
  Line line = find_line(place);
  const char *bytes = place.source->text;
  const size_t column = line.column - 1, at = line.begin + column;
  if (place.source->part && line.begin == line.end)
    return; // an element of XML without text, such as a location
  if (column > SHOWN_COLUMNS * 3 / 4) {
    line.begin = at - SHOWN_COLUMNS / 2;
    while (line.begin < at && is_inside(bytes[line.begin]))
      line.begin++;
  }
  if (line.end - line.begin > SHOWN_COLUMNS) {
    line.end = line.begin + SHOWN_COLUMNS;
    while (line.end > at && is_inside(bytes[line.end]))
      line.end--;
  }
  text_add(text, "  ");
  for (size_t i = line.begin; i < line.end; i++) {
    const char c = bytes[i];
    text_add_char(text, (unsigned char)c < 32 || c == 127 ? ' ' : c);
  }
  text_add(text, "\n  ");
  for (size_t i = line.begin; i < at; i++)
    if (!is_inside(bytes[i]))
      text_add_char(text, ' ');
  text_add(text, "^\n");
}

__attribute__((format(printf, 4, 0))) static void
add_message(Text *text, Place place, const char *kind, const char *format, va_list args) {
  if (!text->mem) { // nobody reads it
    text->size = 1;
    return;
  }
  if (place.source) {
    report_place(text, place);
    text_add(text, ": ");
  }
  text_add(text, kind);
  text_addv(text, format, args);
  text_add_char(text, '\n');
  if (place.source)
    add_excerpt(text, place);
}

__attribute__((format(printf, 4, 0))) static void
list_message(Report *report, Place place, bool is_warning, const char *format, va_list args) {
  MessageList *list = report->list;
  if (!list || !report->error.mem)
    return;
  Text text = {.mem = report->error.mem};
  text_addv(&text, format, args);
  const Message message = {place, mem_copy_text(text.mem, text_chars(&text), text.size),
                           is_warning};
  text_release(&text);
  vec_push(report->error.mem, list, message);
}

bool report_error(Report *report, Place place, const char *format, ...) {
  if (report_failed(report))
    return false;
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  add_message(&report->error, place, "", format, args);
  list_message(report, place, false, format, again);
  va_end(again);
  va_end(args);
  return false;
}

void report_errors(Report *report, Place place, const char *format, va_list args) {
  if (report->error_count && place.source && place.source == report->last_error.source &&
      place.offset == report->last_error.offset)
    return;
  va_list again;
  va_copy(again, args);
  list_message(report, place, false, format, again);
  va_end(again);
  report->last_error = place;
  if (++report->error_count <= REPORT_MAX_ERRORS) {
    add_message(&report->error, place, "", format, args);
    report->shown_size = report->error.size;
  } else if (report->error.mem) { // how many more there are
    report->error.size = report->shown_size;
    const uint32_t more = report->error_count - REPORT_MAX_ERRORS;
    text_addf(&report->error, "and %u more error%s\n", (unsigned)more, more > 1 ? "s" : "");
  }
}

void report_warning(Report *report, Place place, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  add_message(&report->warnings, place, "warning: ", format, args);
  list_message(report, place, true, format, again);
  va_end(again);
  va_end(args);
  report->warning_count++;
}
