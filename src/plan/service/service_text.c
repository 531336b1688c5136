#include "plan/service/service_text.h"

static void find_lines(ServiceText *t) {
  vec_clear(&t->lines);
  vec_push(t->text.mem, &t->lines, 0);
  const char *chars = t->text.chars;
  for (uint32_t i = 0; i < t->text.size; i++)
    if (chars[i] == '\n' || (chars[i] == '\r' && chars[i + 1] != '\n')) // ends by '\0'
      vec_push(t->text.mem, &t->lines, i + 1);
}

void service_text_set(ServiceText *t, Mem *mem, const char *text, size_t size) {
  t->text.mem = mem;
  text_clear(&t->text);
  text_add(&t->text, "");
  text_add_bytes(&t->text, text, size);
  find_lines(t);
}

void service_text_replace(ServiceText *t, uint32_t begin, uint32_t end, const char *text,
                          size_t size) {
  Text whole = {.mem = t->text.mem};
  const uint32_t last = (uint32_t)t->text.size;
  if (begin > end) {
    const uint32_t other = begin;
    begin = end;
    end = other;
  }
  end = end > last ? last : end;
  begin = begin > end ? end : begin;
  text_add_bytes(&whole, t->text.chars, begin);
  text_add_bytes(&whole, text, size);
  text_add_bytes(&whole, t->text.chars + end, last - end);
  text_add(&whole, "");
  text_release(&t->text);
  t->text = whole;
  find_lines(t);
}

// Bytes of the character that begins here, and its UTF-16 units. Bytes that are no UTF-8 count as
// one each.
static uint32_t step(const ServiceText *t, uint32_t at, uint32_t *units) {
  const unsigned char c = (unsigned char)t->text.chars[at];
  uint32_t length = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
  for (uint32_t i = 1; i < length; i++)
    if (at + i >= t->text.size || ((unsigned char)t->text.chars[at + i] & 0xc0) != 0x80)
      length = 1;
  *units += length == 4 ? 2 : 1;
  return length;
}

uint32_t service_text_offset(const ServiceText *t, ServicePosition position) {
  if (position.line >= t->lines.size)
    return (uint32_t)t->text.size;
  uint32_t at = t->lines.items[position.line], units = 0;
  while (at < t->text.size && units < position.character && t->text.chars[at] != '\n' &&
         t->text.chars[at] != '\r')
    at += step(t, at, &units);
  return at;
}

ServicePosition service_text_position(const ServiceText *t, uint32_t offset) {
  offset = offset > t->text.size ? (uint32_t)t->text.size : offset;
  uint32_t low = 0, high = t->lines.size;
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    if (t->lines.items[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  uint32_t units = 0;
  for (uint32_t at = t->lines.items[low]; at < offset;)
    at += step(t, at, &units);
  return (ServicePosition){low, units};
}
