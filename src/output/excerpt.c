#include "output/excerpt.h"

#include <string.h>

static size_t count_lines(const char *from, const char *to) {
  size_t count = 0;
  for (; from < to && (from = memchr(from, '\n', (size_t)(to - from))); from++)
    count++;
  return count;
}

bool excerpt_add(Text *text, const Text *whole, size_t max) {
  const char *const begin = text_chars(whole), *const end = begin + whole->size;
  if (whole->size <= max) {
    text_add_bytes(text, begin, whole->size);
    return false;
  }
  const char *head = begin + max / 2, *tail = end - max / 2;
  while (head > begin && head[-1] != '\n')
    head--;
  while (tail < end && tail[-1] != '\n')
    tail++;
  text_add_bytes(text, begin, (size_t)(head - begin));
  text_addf(text, "... %zu lines are left out here: the file .run.json beside has them ...\n",
            count_lines(head, tail));
  text_add_bytes(text, tail, (size_t)(end - tail));
  return true;
}
