#include "plan/service/service_edits.h"

#include "language/format.h"
#include "plan/service/service_json.h"

#include <string.h>

static size_t blanks(const char *text, size_t at, size_t size) {
  size_t end = at;
  while (end < size && strchr(" \t\r\n", text[end]) && text[end])
    end++;
  return end - at;
}

static void add_edit(const ServiceDocument *d, json_t *edits, size_t begin, size_t end,
                     const char *text, size_t size) {
  json_array_append_new(edits, json_pack("{s:o, s:o}", "range",
                                         service_json_range(d, (uint32_t)begin, (uint32_t)end),
                                         "newText", service_json_text(text, size)));
}

// The gaps of both texts side by side; false if something else differs.
static bool compare(const ServiceDocument *d, const Text *laid_out, json_t *edits, uint32_t begin,
                    uint32_t end) {
  const char *old = d->source.text, *new = text_chars(laid_out);
  const size_t old_size = d->source.size, new_size = laid_out->size;
  for (size_t i = 0, j = 0;;) {
    const size_t gap = blanks(old, i, old_size), other = blanks(new, j, new_size);
    if ((gap != other || memcmp(old + i, new + j, gap) != 0) && i >= begin && i + gap <= end)
      add_edit(d, edits, i, i + gap, new + j, other);
    i += gap;
    j += other;
    if (i == old_size || j == new_size)
      return i == old_size && j == new_size;
    if (old[i++] != new[j++])
      return false;
  }
}

json_t *service_edits(const ServiceDocument *d, uint32_t begin, uint32_t end) {
  Mem mem = {0};
  Text text = {.mem = &mem};
  Report report;
  report_init(&report, &mem);
  json_t *edits = json_array();
  const bool is_whole = !begin && end >= d->source.size;
  if (format_text(&text, &d->source, &report) && !compare(d, &text, edits, begin, end)) {
    json_array_clear(edits);
    if (is_whole)
      add_edit(d, edits, 0, d->source.size, text_chars(&text), text.size);
  }
  mem_release(&mem);
  return edits;
}
