// Text: a growable NUL-terminated string. All-zero with `mem` set is valid and empty
// (then `chars` is NULL: use text_chars). Freed with text_release.
#pragma once

#include "base/mem.h"

#include <stdarg.h>

typedef struct Text {
  Mem *mem;
  char *chars;
  size_t size, capacity; // size without the NUL
} Text;

void text_add(Text *, const char *);
void text_add_bytes(Text *, const char *, size_t length);
void text_add_char(Text *, char);
// Adds it with `?` for bytes that are no UTF-8.
void text_add_utf8(Text *, const char *);
// Adds it as a text of XML or HTML, also of an attribute: bytes that are no UTF-8 become `?`,
// control characters but tab and the end of a line become blanks, and `\r` is left out.
void text_add_xml(Text *, const char *);
void text_add_xml_bytes(Text *, const char *, size_t length);
void text_add_fraction(Text *, int64_t numerator, int64_t denominator); // reduced
// The greatest common divisor, by which fractions are reduced; not both are 0 or INT64_MIN.
int64_t text_divisor(int64_t a, int64_t b);
void text_addf(Text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Says why something is refused. Returns false, for functions that do.
bool text_refuse(Text *why, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_addv(Text *, const char *format, va_list) __attribute__((format(printf, 2, 0)));
void text_clear(Text *);
void text_release(Text *);
const char *text_chars(const Text *); // never NULL
char *text_keep(Text *, Mem *);       // a copy there; the text is released

bool text_ends_with(const char *text, const char *ending);

// Edit distance of two names, for "did you mean"; two letters that changed places are one edit.
// Large values are cut at `limit`.
unsigned text_distance(const char *, const char *, unsigned limit);

// "Did you mean": keeps the nearest of the names it is shown. Start with all-zero.
typedef struct Nearest {
  const char *name; // NULL: none is near enough
  unsigned distance;
} Nearest;
void text_consider(Nearest *, const char *wanted, const char *candidate);
