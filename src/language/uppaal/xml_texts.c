#include "language/uppaal/xml_texts.h"

#include <stdlib.h>
#include <string.h>

static const char *const with_text[] = {"declaration", "parameter", "system",  "instantiation",
                                        "name",        "label",     "formula", "comment"};
enum { WITH_TEXT = sizeof with_text / sizeof *with_text };

bool xml_texts_has(const char *element) {
  for (int k = 0; k < WITH_TEXT; k++)
    if (!strcmp(with_text[k], element))
      return true;
  return false;
}

typedef struct Scanner {
  XmlTexts *texts;
  Mem *mem;
  const char *text;
  uint32_t size, at;
  VEC(uint32_t) open; // start tags of the elements around
} Scanner;

static bool starts(const Scanner *s, const char *word) {
  const size_t length = strlen(word);
  return s->size - s->at >= length && !memcmp(s->text + s->at, word, length);
}

// Behind the next occurrence of a word, or at the end.
static uint32_t behind(const Scanner *s, uint32_t from, const char *word) {
  const char *found = from < s->size ? strstr(s->text + from, word) : NULL;
  return found ? (uint32_t)(found - s->text + (ptrdiff_t)strlen(word)) : s->size;
}

// The end of a tag, behind its `>`: quotes may hold one.
static uint32_t tag_end(const Scanner *s) {
  char quote = 0;
  for (uint32_t i = s->at; i < s->size; i++) {
    const char c = s->text[i];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '>')
      return i + 1;
  }
  return s->size;
}

// The value of the attribute `kind` in a start tag.
static void find_kind(const Scanner *s, uint32_t end, XmlText *found) {
  for (uint32_t i = s->at; i + 6 < end; i++) {
    if (memcmp(s->text + i, "kind", 4) != 0 || !strchr(" \t\r\n", s->text[i - 1]))
      continue;
    uint32_t k = i + 4 + (uint32_t)strspn(s->text + i + 4, " \t\r\n=");
    const char quote = s->text[k];
    const char *close =
        quote == '"' || quote == '\'' ? memchr(s->text + k + 1, quote, end - k - 1) : NULL;
    if (!close)
      return;
    found->kind = s->text + k + 1;
    found->kind_length = (uint32_t)(close - found->kind);
    return;
  }
}

// A start tag: notes the element if it has text for the reader.
static void open_tag(Scanner *s, uint32_t end) {
  const bool is_empty = end - s->at >= 2 && s->text[end - 2] == '/';
  const uint32_t length = (uint32_t)strcspn(s->text + s->at + 1, " \t\r\n/>");
  for (int k = 0; k < WITH_TEXT; k++) {
    if (strlen(with_text[k]) != length || memcmp(with_text[k], s->text + s->at + 1, length) != 0)
      continue;
    XmlText found = {.element = with_text[k], .tag = s->at, .begin = end, .end = end};
    found.parent = s->open.size ? vec_last(&s->open) : 0;
    find_kind(s, end, &found);
    vec_push(s->mem, s->texts, found);
  }
  if (!is_empty)
    vec_push(s->mem, &s->open, s->at);
}

static void close_tag(Scanner *s) {
  if (!s->open.size)
    return;
  const uint32_t tag = vec_pop(&s->open);
  for (uint32_t i = s->texts->size; i-- > 0 && s->texts->items[i].tag >= tag;)
    if (s->texts->items[i].tag == tag)
      s->texts->items[i].end = s->at;
}

void xml_texts_find(XmlTexts *texts, Mem *mem, const Source *source) {
  Scanner s = {.texts = texts, .mem = mem, .text = source->text, .size = (uint32_t)source->size};
  for (const char *found; s.at < s.size;) {
    found = memchr(s.text + s.at, '<', s.size - s.at);
    if (!found)
      break;
    s.at = (uint32_t)(found - s.text);
    uint32_t end;
    if (starts(&s, "<!--"))
      end = behind(&s, s.at + 4, "-->");
    else if (starts(&s, "<![CDATA["))
      end = behind(&s, s.at, "]]>");
    else if (starts(&s, "<!"))
      end = tag_end(&s);
    else if (starts(&s, "<?"))
      end = behind(&s, s.at, "?>");
    else {
      end = tag_end(&s);
      if (starts(&s, "</"))
        close_tag(&s);
      else
        open_tag(&s, end);
    }
    s.at = end;
  }
  vec_release(mem, &s.open);
}

bool xml_texts_is(const XmlText *text, const char *element, const char *kind) {
  return !strcmp(text->element, element) &&
         (!kind ||
          (strlen(kind) == text->kind_length && !memcmp(kind, text->kind, text->kind_length)));
}

// UTF-8
static void add_character(Text *text, unsigned long code) {
  const unsigned c = code < 0x110000 ? (unsigned)code : '?';
  if (c < 0x80) {
    text_add_char(text, (char)c);
    return;
  }
  if (c >= 0x10000) {
    text_add_char(text, (char)(0xf0 | c >> 18));
    text_add_char(text, (char)(0x80 | (c >> 12 & 0x3f)));
  } else if (c >= 0x800) {
    text_add_char(text, (char)(0xe0 | c >> 12));
  }
  text_add_char(text, (char)(c < 0x800 ? 0xc0 | c >> 6 : 0x80 | (c >> 6 & 0x3f)));
  text_add_char(text, (char)(0x80 | (c & 0x3f)));
}

// The length in the file of the reference that begins here, `&lt;` or `&#60;`; 0: it is none.
static uint32_t add_reference(Text *text, const char *at, const char *end) {
  static const struct {
    const char *name;
    char c;
  } entities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  for (size_t k = 0; k < sizeof entities / sizeof *entities; k++) {
    const size_t length = strlen(entities[k].name);
    if ((size_t)(end - at) >= length && !memcmp(at, entities[k].name, length)) {
      text_add_char(text, entities[k].c);
      return (uint32_t)length;
    }
  }
  const char *close = at[1] == '#' ? memchr(at, ';', (size_t)(end - at)) : NULL;
  if (!close)
    return 0;
  add_character(text, at[2] == 'x' ? strtoul(at + 3, NULL, 16) : strtoul(at + 2, NULL, 10));
  return (uint32_t)(close + 1 - at);
}

bool xml_texts_decode(const XmlText *found, Mem *mem, const Source *source, Text *text,
                      XmlMap *map) {
  static const char cdata[] = "<![CDATA[";
  const char *chars = source->text;
  uint32_t begin = found->begin, end = found->end;
  begin += (uint32_t)strspn(chars + begin, " \t\r\n");
  while (end > begin && strchr(" \t\r\n", chars[end - 1]))
    end--;
  const bool is_cdata = end - begin >= sizeof cdata + 2 &&
                        !strncmp(chars + begin, cdata, sizeof cdata - 1) &&
                        strstr(chars + begin, "]]>") == chars + end - 3;
  begin = is_cdata ? begin + (uint32_t)sizeof cdata - 1 : found->begin;
  end = is_cdata ? end - 3 : found->end;
  if (!is_cdata && memchr(chars + begin, '<', end - begin))
    return false;
  text_add(text, "");
  for (uint32_t at = begin; at < end;) {
    const size_t size = text->size;
    uint32_t length = 1;
    if (chars[at] == '\r') { // XML has one end of lines
      if (at + 1 == end || chars[at + 1] != '\n')
        text_add_char(text, '\n');
    } else if (is_cdata || chars[at] != '&')
      text_add_char(text, chars[at]);
    else if (!(length = add_reference(text, chars + at, chars + end)))
      return false;
    for (size_t i = size; i < text->size; i++)
      vec_push(mem, map, at);
    at += length;
  }
  vec_push(mem, map, end);
  return true;
}
