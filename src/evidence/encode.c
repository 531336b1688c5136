#include "evidence/encode.h"

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
