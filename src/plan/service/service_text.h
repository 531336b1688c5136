// The text of a document that an editor has open: lines, and positions as the Language Server
// Protocol counts them, in UTF-16 units. Lines end by "\n", "\r\n" or "\r".
#pragma once

#include "base/text.h"
#include "base/vec.h"

typedef struct ServicePosition {
  uint32_t line, character; // from 0
} ServicePosition;

typedef struct ServiceText {
  Text text;
  VEC(uint32_t) lines; // where each begins
} ServiceText;

void service_text_set(ServiceText *, Mem *, const char *text, size_t size);
// Replaces the bytes between both, whichever comes first.
void service_text_replace(ServiceText *, uint32_t begin, uint32_t end, const char *text,
                          size_t size);
// Positions beyond the end of a line or of the text are taken as that end.
uint32_t service_text_offset(const ServiceText *, ServicePosition);
ServicePosition service_text_position(const ServiceText *, uint32_t offset);
