#define _POSIX_C_SOURCE 200809L
#include "command/axes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool add_value(Axis *axis, const char *text, size_t size) {
  char **values = realloc(axis->values, (axis->count + 1) * sizeof *values);
  if (!values)
    return false;
  axis->values = values;
  return (values[axis->count++] = strndup(text, size));
}

// A whole number up to `end`, or to the dots of a range.
static bool read_number(const char **at, const char *end, long long *number) {
  char *behind;
  errno = 0;
  *number = strtoll(*at, &behind, 10);
  const bool ok = behind > *at && behind <= end && !errno && strchr("+-0123456789", **at);
  *at = behind;
  return ok;
}

// FIRST..LAST or FIRST..LAST..STEP; else the text is one value.
static const char *add_values(Axis *axis, const char *at, const char *end) {
  const char *dots = strstr(at, "..");
  long long first, last, step = 1;
  if (at == end)
    return "there is no value between two commas, or none at all";
  if (!dots || dots >= end)
    return add_value(axis, at, (size_t)(end - at)) ? NULL : "out of memory";
  const char *p = at;
  bool ok = read_number(&p, end, &first) && p == dots;
  p = dots + 2;
  ok = ok && read_number(&p, end, &last);
  if (ok && p < end && end - p > 2 && !strncmp(p, "..", 2)) {
    p += 2;
    ok = read_number(&p, end, &step);
  }
  if (!ok || p != end)
    return "a range is FIRST..LAST or FIRST..LAST..STEP, of whole numbers";
  if (first > last || step < 1)
    return "the range is empty";
  if ((unsigned long long)last - (unsigned long long)first >=
      AXES_MAX_CELLS * (unsigned long long)step)
    return "the range has more than 1000000 values";
  for (unsigned long long left = (unsigned long long)last - (unsigned long long)first;;
       left -= (unsigned long long)step, first += step) {
    char text[32];
    snprintf(text, sizeof text, "%lld", first);
    if (!add_value(axis, text, strlen(text)))
      return "out of memory";
    if (left < (unsigned long long)step)
      return NULL;
  }
}

static bool is_repeated(const Axis *axis) {
  for (size_t i = 0; axis->count < 1000 && i < axis->count; i++)
    for (size_t j = 0; j < i; j++)
      if (!strcmp(axis->values[i], axis->values[j]))
        return true;
  return false;
}

const char *axes_add(Axes *axes, const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text)
    return "write NAME=VALUES, such as N=2..10 or N=2,4,8";
  if (axes->count == AXES_MAX)
    return "there are too many constants to vary";
  Axis *axis = &axes->items[axes->count++];
  axis->name = strndup(text, (size_t)(equals - text));
  for (size_t i = 0; axis->name && i + 1 < axes->count; i++)
    if (!strcmp(axes->items[i].name, axis->name))
      return "this constant is given already";
  const char *wrong = axis->name ? NULL : "out of memory";
  for (const char *at = equals + 1; !wrong;) {
    const char *end = at + strcspn(at, ",");
    wrong = add_values(axis, at, end);
    if (!*end)
      break;
    at = end + 1;
  }
  return wrong ? wrong : is_repeated(axis) ? "a value is there twice" : NULL;
}

void axes_release(Axes *axes) {
  for (size_t i = 0; i < axes->count; i++) {
    for (size_t k = 0; k < axes->items[i].count; k++)
      free(axes->items[i].values[k]);
    free(axes->items[i].values);
    free(axes->items[i].name);
  }
}

size_t axes_cells(const Axes *axes) {
  size_t cells = 1;
  for (size_t i = 0; i < axes->count; i++) {
    cells *= axes->items[i].count;
    if (cells > AXES_MAX_CELLS)
      return 0;
  }
  return cells;
}

const char *axes_value(const Axes *axes, size_t cell, size_t axis) {
  for (size_t i = axes->count - 1; i > axis; i--)
    cell /= axes->items[i].count;
  return axes->items[axis].values[cell % axes->items[axis].count];
}
