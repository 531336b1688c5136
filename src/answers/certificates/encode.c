#include "answers/certificates/encode.h"

#include "dbm/extra.h"
#include "model/certificate_format.h"

#include <errno.h>
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

// Its length first.
static void put_text(Text *text, const char *chars) {
  encode_number(text, strlen(chars));
  text_add(text, chars);
}

void encode_head(Text *text, const CertificateStart *start, const Net *net) {
  static const unsigned char none[CERTIFY_HASH];
  text_add(text, CERTIFY_MAGIC);
  encode_number(text, start->features | (start->claims ? CERTIFY_VALUES : 0) |
                          (start->marked ? CERTIFY_MARKED : 0));
  text_add_bytes(text, (const char *)(start->hash ? start->hash : none), CERTIFY_HASH);
  encode_number(text, !start->query      ? CERTIFY_ALL
                      : start->is_labels ? CERTIFY_LABELS
                                         : CERTIFY_QUERY);
  put_text(text, start->query ? start->query : "");
  put_text(text, start->origin);
  if (start->claims)
    text_add_bytes(text, start->claims->chars, start->claims->size);
  if (start->marked)
    encode_number(text, start->marked - 1);
  encode_number(text, net->slots.count);
  encode_number(text, net->clock_count);
}

void encode_end(Text *text, const Text *runs) {
  encode_number(text, runs != NULL); // sections
  if (!runs)
    return;
  encode_number(text, CERTIFY_RUNS);
  encode_number(text, runs->size);
  text_add_bytes(text, runs->chars, runs->size);
}

void encode_definition(Text *text, Intern *known, const Text *definition) {
  const uint32_t count = known->items.size;
  const uint32_t number = intern_number(known, definition->chars, definition->size) - 1;
  encode_number(text, number);
  if (number == count)
    text_add_bytes(text, definition->chars, definition->size);
}

void encode_gaps(Text *text, const uint32_t *items, uint32_t count) {
  encode_number(text, count);
  for (uint32_t i = 0, next = 0; i < count; next = items[i++] + 1)
    encode_number(text, items[i] - next);
}

void encode_processes(Text *text, const bool *in, uint32_t processes) {
  uint32_t count = 0, next = 0;
  for (ProcessId p = 0; p < processes; p++)
    count += in[p];
  encode_number(text, count);
  for (ProcessId p = 0; p < processes; p++) {
    if (!in[p])
      continue;
    encode_number(text, p - next);
    next = p + 1;
  }
}

void encode_columns(Text *text, const uint32_t *items, uint32_t columns, uint32_t size) {
  encode_number(text, columns);
  for (uint32_t i = 0; i < columns * size; i++)
    encode_number(text, items[i]);
}

void encode_family(Text *text, const Net *net, const Family *f) {
  encode_number(text, f->size);
  encode_number(text, f->is_cyclic);
  encode_columns(text, f->processes, f->process_columns, f->size);
  encode_columns(text, f->clocks, f->clock_columns, f->size);
  encode_columns(text, f->slots, f->slot_columns, f->size);
  encode_number(text, f->event_columns);
  for (uint32_t c = 0; c < f->event_columns; c++) {
    encode_number(text, f->events[c].is_moved);
    encode_number(text, f->events[c].process);
    for (uint32_t i = 0; i < f->size; i++)
      encode_number(text, f->events[c].events[i]);
  }
  encode_number(text, f->value_columns);
  for (uint32_t c = 0; c < f->value_columns; c++) {
    encode_number(text, f->values[c].sort);
    for (uint32_t i = 0; i < f->size; i++)
      encode_integer(text, f->values[c].values[i]);
  }
  for (uint32_t s = 0; s < net->location_slot; s++)
    encode_number(text, f->sort[s]);
  uint32_t excluded = 0;
  for (LocationId l = 0; f->excluded && l < net->locations.size; l++)
    excluded += f->excluded[l];
  encode_number(text, excluded);
  for (LocationId l = 0; f->excluded && l < net->locations.size; l++)
    if (f->excluded[l])
      encode_number(text, l);
}

bool encode_flush(Text *text, FILE *file, bool is_end) {
  if (text->size < ENCODE_MANY && !is_end)
    return true;
  errno = EIO;
  const bool ok =
      fwrite(text_chars(text), 1, text->size, file) == text->size && (!is_end || !fflush(file));
  text_clear(text);
  return ok;
}

uint64_t encode_bound(int32_t bound) {
  return bound == CLOCK_NO_BOUND ? CERTIFY_NONE : (uint64_t)bound + CERTIFY_FIRST;
}
