#include "evidence/encode.h"

#include "check/certificate_format.h"

#include <string.h>

void encode_number(Text *text, uint64_t value) {
  while (value >= 128) {
    text_add_char(text, (char)((value & 127) | 128));
    value >>= 7;
  }
  text_add_char(text, (char)value);
}

uint64_t encode_sign(int64_t value) {
  return value < 0 ? 2 * (uint64_t)(-(value + 1)) + 1 : 2 * (uint64_t)value;
}

void encode_integer(Text *text, int64_t value) { encode_number(text, encode_sign(value)); }

void encode_text(Text *text, const char *chars) {
  encode_number(text, strlen(chars));
  text_add(text, chars);
}

void encode_head(Text *text, const char *magic, const char *query, bool is_labels,
                 const char *origin, const Net *net) {
  text_add(text, magic);
  encode_number(text, !query ? CERTIFY_ALL : is_labels ? CERTIFY_LABELS : CERTIFY_QUERY);
  encode_text(text, query ? query : "");
  encode_text(text, origin);
  encode_number(text, net->slots.count);
  encode_number(text, net->clock_count);
}

bool encode_flush(Text *text, FILE *file, size_t least) {
  if (text->size < least || !text->size)
    return true;
  const bool ok = fwrite(text->chars, 1, text->size, file) == text->size;
  text_clear(text);
  return ok;
}
