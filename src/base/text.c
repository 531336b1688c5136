#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void reserve(Text *text, size_t more) {
  const size_t needed = text->size + more + 1;
  if (needed <= text->capacity)
    return;
  size_t wanted = text->capacity < 32 ? 64 : text->capacity * 2;
  if (wanted < needed)
    wanted = needed;
  text->chars = mem_resize(text->mem, text->chars, wanted);
  text->capacity = wanted;
}

void text_add_bytes(Text *text, const char *bytes, size_t length) {
  reserve(text, length);
  if (length)
    memcpy(text->chars + text->size, bytes, length);
  text->size += length;
  text->chars[text->size] = 0;
}

void text_add(Text *text, const char *chars) { text_add_bytes(text, chars, strlen(chars)); }

void text_add_char(Text *text, char c) { text_add_bytes(text, &c, 1); }

// The bytes of the character in UTF-8 that begins here; 0: there is none.
static size_t character(const unsigned char *at) {
  const size_t size = *at < 0x80 ? 1 : *at < 0xc2 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
  for (size_t i = 1; i < size; i++)
    if (at[i] >> 6 != 2)
      return 0;
  const bool is_other = (*at == 0xe0 && at[1] < 0xa0) || (*at == 0xed && at[1] > 0x9f) ||
                        (*at == 0xf0 && at[1] < 0x90) || (*at == 0xf4 && at[1] > 0x8f) ||
                        *at > 0xf4; // overlong, a surrogate, too large
  return is_other ? 0 : size;
}

void text_add_utf8(Text *text, const char *chars) {
  for (size_t size; *chars; chars += size ? size : 1) {
    size = character((const unsigned char *)chars);
    text_add_bytes(text, size ? chars : "?", size ? size : 1);
  }
}

void text_add_xml_bytes(Text *text, const char *chars, size_t length) {
  for (const char *c = chars, *const end = chars + length; c < end; c++) {
    const size_t size = character((const unsigned char *)c);
    if (size == 0 || size > (size_t)(end - c))
      text_add_char(text, '?');
    else if (size > 1) {
      text_add_bytes(text, c, size);
      c += size - 1;
    } else if (*c == '&' || *c == '<' || *c == '>' || *c == '"')
      text_add(text, *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : "&quot;");
    else if (*c != '\r')
      text_add_char(text, *c >= ' ' || *c == '\n' || *c == '\t' ? *c : ' ');
  }
}

void text_add_xml(Text *text, const char *chars) {
  text_add_xml_bytes(text, chars, strlen(chars));
}

void text_addv(Text *text, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  reserve(text, 0);
  const size_t room = text->capacity - text->size;
  const int length = vsnprintf(text->chars + text->size, room, format, args);
  if ((size_t)length >= room) {
    reserve(text, (size_t)length);
    vsnprintf(text->chars + text->size, (size_t)length + 1, format, again);
  }
  va_end(again);
  text->size += (size_t)length;
}

void text_addf(Text *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_addv(text, format, args);
  va_end(args);
}

bool text_refuse(Text *why, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_addv(why, format, args);
  va_end(args);
  return false;
}

void text_clear(Text *text) {
  text->size = 0;
  if (text->chars)
    text->chars[0] = 0;
}

int64_t text_divisor(int64_t a, int64_t b) {
  while (b) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

void text_add_fraction(Text *text, int64_t numerator, int64_t denominator) {
  const int64_t common = text_divisor(numerator, denominator);
  numerator /= common;
  denominator /= common;
  text_addf(text, denominator == 1 ? "%" PRId64 : "%" PRId64 "/%" PRId64, numerator, denominator);
}

void text_release(Text *text) {
  mem_free(text->mem, text->chars);
  *text = (Text){.mem = text->mem};
}

const char *text_chars(const Text *text) { return text->chars ? text->chars : ""; }

char *text_keep(Text *text, Mem *mem) {
  char *copy = mem_copy_text(mem, text_chars(text), text->size);
  text_release(text);
  return copy;
}

unsigned text_distance(const char *a, const char *b, unsigned limit) {
  enum { MAX = 64 };
  const size_t m = strlen(a), n = strlen(b);
  if (m >= MAX || n >= MAX)
    return limit;
  unsigned rows[3][MAX] = {0}; // of three beginnings of `a`, in turn
  for (size_t i = 0; i <= m; i++) {
    const unsigned *before = rows[(i + 1) % 3], *last = rows[(i + 2) % 3];
    unsigned *row = rows[i % 3];
    for (size_t j = 0; j <= n; j++) {
      row[j] = (unsigned)(i + j);
      if (!i || !j)
        continue;
      const unsigned change = last[j - 1] + (a[i - 1] != b[j - 1]);
      const unsigned step = (last[j] < row[j - 1] ? last[j] : row[j - 1]) + 1;
      row[j] = change < step ? change : step;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          before[j - 2] + 1 < row[j])
        row[j] = before[j - 2] + 1;
    }
  }
  return rows[m % 3][n] < limit ? rows[m % 3][n] : limit;
}

// A name is near if at most a third of it, and of short names one letter, is wrong. Something of
// it must be right.
void text_consider(Nearest *nearest, const char *wanted, const char *candidate) {
  const size_t length = strlen(wanted);
  const unsigned max = length < 6 ? 1 : (unsigned)(length / 3 < 4 ? length / 3 : 4);
  const unsigned limit = nearest->name ? nearest->distance : max + 1;
  const unsigned distance = text_distance(wanted, candidate, limit);
  const size_t longer = strlen(candidate) > length ? strlen(candidate) : length;
  if (distance >= limit || (distance >= longer && strcasecmp(wanted, candidate) != 0))
    return;
  nearest->name = candidate;
  nearest->distance = distance;
}

bool text_ends_with(const char *text, const char *ending) {
  const size_t length = strlen(text), tail = strlen(ending);
  return length >= tail && !strcmp(text + length - tail, ending);
}
