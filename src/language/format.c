#include "language/format.h"

#include "base/arena.h"
#include "language/tchecker/tck_pretty.h"
#include "language/uppaal/pretty.h"
#include "language/uppaal/query_file.h"
#include "language/uppaal/uppaal.h"
#include "language/uppaal/xml_texts.h"

#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Line ends are those of the first line of the source.
static void add_lines(Text *out, const Text *text, const Source *source) {
  const char *line = memchr(source->text, '\n', source->size);
  const bool has_returns = line && line > source->text && line[-1] == '\r';
  for (size_t i = 0; i < text->size; i++) {
    const char c = text->chars[i];
    if (has_returns && c == '\n' && (!i || text->chars[i - 1] != '\r'))
      text_add_char(out, '\r');
    text_add_char(out, c);
  }
}

// Text between queries: comments and blank lines, without blanks at the ends of lines.
static void add_between(Text *out, const char *text, uint32_t begin, uint32_t end) {
  for (uint32_t at = begin; at < end; at++) {
    if (text[at] != '\n') {
      text_add_char(out, text[at]);
      continue;
    }
    while (out->size && strchr(" \t\r", out->chars[out->size - 1]))
      out->chars[--out->size] = '\0';
    text_add_char(out, '\n');
  }
}

static void format_queries(Text *out, Mem *mem, const Source *source) {
  Arena arena = {.mem = mem};
  uint32_t at = 0;
  for (const QueryNode *q = query_file_split(&arena, source, true); q; q = q->next) {
    const PrettyText in = {
        .source = source, .begin = q->begin, .end = q->end, .kind = PRETTY_QUERY};
    add_between(out, source->text, at, q->begin);
    pretty_print(out, mem, &in);
    at = q->end;
  }
  add_between(out, source->text, at, (uint32_t)source->size);
  arena_release(&arena);
}

static void format_model(Text *out, Mem *mem, const Source *source) {
  const uint32_t begin = report_text_begin(source);
  const PrettyText in = {.source = source, .begin = begin, .end = (uint32_t)source->size};
  text_add_bytes(out, source->text, begin);
  pretty_print(out, mem, &in);
}

// How the text of an element is laid out; -1: not at all.
static int kind_of(const XmlText *text) {
  static const char *const labels[] = {"select",         "guard",       "synchronisation",
                                       "assignment",     "probability", "invariant",
                                       "exponentialrate"};
  for (size_t k = 0; k < sizeof labels / sizeof *labels; k++)
    if (xml_texts_is(text, "label", labels[k]))
      return PRETTY_LABEL;
  return !strcmp(text->element, "formula")     ? PRETTY_QUERY
         : !strcmp(text->element, "parameter") ? PRETTY_LABEL
         : strcmp(text->element, "label") && strcmp(text->element, "name") &&
                 strcmp(text->element, "comment")
             ? PRETTY_MODEL
             : -1;
}

// Blanks around the text stay, but those before its first line.
static uint32_t format_element(Text *out, Mem *mem, const Source *source, const XmlText *element,
                               int kind, uint32_t at) {
  Text text = {.mem = mem};
  XmlMap map = {0};
  if (xml_texts_decode(element, mem, source, &text, &map)) {
    const char *chars = text_chars(&text);
    uint32_t begin = (uint32_t)strspn(chars, " \t\r\n"), end = (uint32_t)text.size, line = begin;
    while (end > begin && is_blank(chars[end - 1]))
      end--;
    while (line > 0 && kind == PRETTY_MODEL && chars[line - 1] != '\n')
      line--;
    line = line ? line : begin;
    const Source decoded = {.name = source->name, .text = chars, .size = text.size};
    const PrettyText in = {.source = &decoded,
                           .begin = begin,
                           .end = end,
                           .kind = (PrettyKind)kind,
                           .raw = source->text,
                           .map = map.items};
    if (end > begin) {
      Text shown = {.mem = mem};
      text_add_bytes(out, source->text + at, map.items[line] - at);
      pretty_print(&shown, mem, &in);
      add_lines(out, &shown, source);
      text_release(&shown);
      at = map.items[end];
    }
  }
  text_release(&text);
  vec_release(mem, &map);
  return at;
}

static void format_xml(Text *out, Mem *mem, const Source *source) {
  XmlTexts texts = {0};
  uint32_t at = 0;
  xml_texts_find(&texts, mem, source);
  for (uint32_t i = 0; i < texts.size; i++) {
    const XmlText *text = &texts.items[i];
    if (kind_of(text) >= 0 && text->begin >= at)
      at = format_element(out, mem, source, text, kind_of(text), at);
  }
  text_add_bytes(out, source->text + at, source->size - at);
  vec_release(mem, &texts);
}

bool format_text(Text *out, const Source *source, Report *report) {
  if (source->size >= UINT32_MAX / 2)
    return report_error(report, (Place){0}, "%s: files of 2 GiB and more are not supported",
                        source->name);
  const size_t blank = strspn(source->text + report_text_begin(source), " \t\r\n");
  const bool is_xml = source->text[report_text_begin(source) + blank] == '<';
  if (memchr(source->text, 0, source->size))
    return report_error(report, (Place){0},
                        "%s: this is in UTF-16: convert it to UTF-8 (`iconv`) first",
                        source->name);
  Text text = {.mem = out->mem};
  if (is_xml)
    format_xml(&text, out->mem, source);
  else if (text_ends_with(source->name, ".q"))
    format_queries(&text, out->mem, source);
  else if (uppaal_is_model(source))
    format_model(&text, out->mem, source);
  else
    tck_pretty_print(&text, source);
  while (!is_xml && text.size && is_blank(text.chars[text.size - 1]))
    text.size--;
  if (!is_xml && text.size)
    text_add_char(&text, '\n');
  if (is_xml)
    text_add_bytes(out, text.chars, text.size);
  else
    add_lines(out, &text, source);
  text_release(&text);
  return true;
}
