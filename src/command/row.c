#include "command/row.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// New ones come at the end: programs count them.
static const char *const columns[] = {"query",  "verdict", "reason",   "values",     "seconds",
                                      "stored", "visited", "memory",   "plan",       "expected",
                                      "value",  "strict",  "infinite", "cpu_seconds"};
enum { COLUMNS = sizeof columns / sizeof *columns };

json_t *row_written(Tarn *tarn, const char *what) {
  const long size = tarn_write_buffer(tarn, NULL, 0, what, "json");
  char *text = size < 0 ? NULL : malloc((size_t)size + 1);
  json_t *object = NULL;
  if (text && tarn_write_buffer(tarn, text, (size_t)size + 1, what, "json") == size)
    object = json_loads(text, 0, NULL);
  free(text);
  return object;
}

static void copy(json_t *row, const json_t *from, const char *name) {
  json_t *value = json_object_get(from, name);
  if (value)
    json_object_set(row, name, value);
}

json_t *row_of_answer(Tarn *tarn) {
  static const char *const of_answer[] = {"query",   "verdict", "reason",  "values",
                                          "numbers", "engine",  "symmetry"};
  static const char *const of_stats[] = {"seconds", "cpu_seconds", "stored", "visited"};
  json_t *written = row_written(tarn, "answer");
  const json_t *answer = json_array_get(json_object_get(written, "results"), 0);
  json_t *row = answer ? json_object() : NULL;
  for (size_t i = 0; row && i < sizeof of_answer / sizeof *of_answer; i++)
    copy(row, answer, of_answer[i]);
  for (size_t i = 0; row && i < sizeof of_stats / sizeof *of_stats; i++)
    copy(row, json_object_get(answer, "stats"), of_stats[i]);
  const int is_expected = row ? tarn_is_expected(tarn) : -1;
  if (is_expected >= 0)
    json_object_set_new(row, "expected", json_boolean(is_expected));
  if (row) {
    const char *symmetry = row_text(row, "symmetry");
    char plan[256];
    snprintf(plan, sizeof plan, "%s%s%s", row_text(row, "engine"), *symmetry ? ", symmetry " : "",
             symmetry);
    json_object_set_new(row, "plan", json_string(plan));
    json_object_set_new(row, "memory",
                        json_integer((json_int_t)tarn_statistic(tarn, "peak_bytes")));
  }
  json_decref(written);
  return row;
}

const char *row_text(const json_t *row, const char *name) {
  const char *text = json_string_value(json_object_get(row, name));
  return text ? text : "";
}

static void put_value(const json_t *value, char *text, size_t size) {
  if (json_is_integer(value))
    snprintf(text, size, "%lld", (long long)json_integer_value(value));
  else if (json_is_number(value))
    snprintf(text, size, "%.6g", json_number_value(value));
  else if (json_is_boolean(value))
    snprintf(text, size, "%s", json_is_true(value) ? "yes" : "no");
  else
    snprintf(text, size, "%s", json_is_string(value) ? json_string_value(value) : "");
}

void row_field(const json_t *row, const char *column, char *text, size_t size) {
  const json_t *numbers = json_object_get(row, "numbers");
  const bool is_number =
      !strcmp(column, "value") || !strcmp(column, "strict") || !strcmp(column, "infinite");
  put_value(is_number ? NULL : json_object_get(row, column), text, size);
  for (size_t i = 0; is_number && i < json_array_size(numbers); i++) { // several: `2;9`
    const size_t used = strlen(text);
    if (used + 2 >= size)
      return;
    if (i)
      strcat(text, ";");
    put_value(json_object_get(json_array_get(numbers, i), column), text + used + (i > 0),
              size - used - (i > 0));
  }
}

void row_put_field(FILE *file, const char *text) {
  const bool is_quoted = strpbrk(text, ",\"\n\r");
  fputs(is_quoted ? "\"" : "", file);
  for (; *text; text++) {
    if (*text == '"')
      fputc('"', file);
    fputc(*text == '\n' || *text == '\r' ? ' ' : *text, file);
  }
  fputs(is_quoted ? "\"" : "", file);
}

void row_put_head(FILE *file) {
  for (size_t i = 0; i < COLUMNS; i++)
    fprintf(file, "%s%s", columns[i], i + 1 < COLUMNS ? "," : "\n");
}

// The next field of a line, without quotes. False if it does not end.
static bool read_field(const char **at, char *text, size_t room) {
  const bool is_quoted = **at == '"';
  size_t size = 0;
  for (*at += is_quoted; **at && **at != '\n'; ++*at) {
    if (is_quoted && **at == '"' && *++*at != '"')
      break;
    if (!is_quoted && **at == ',')
      break;
    if (size + 1 < room)
      text[size++] = **at;
  }
  text[size] = 0;
  return **at == ',' || **at == '\n';
}

json_t *row_read(const char *line) {
  static const char *const whole[] = {"stored", "visited", "memory"};
  json_t *row = json_object();
  bool ok = true;
  for (size_t i = 0; ok && i < COLUMNS; i++) {
    char text[4096];
    const char *name = columns[i];
    ok = read_field(&line, text, sizeof text) && (*line == ',') == (i + 1 < COLUMNS);
    line += *line == ',';
    bool is_whole = false;
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
      is_whole |= !strcmp(name, whole[k]);
    if (!*text || !strcmp(name, "value") || !strcmp(name, "strict") || !strcmp(name, "infinite"))
      continue; // they need the names of the expressions
    json_t *value = is_whole                    ? json_integer(atoll(text))
                    : strstr(name, "seconds")   ? json_real(atof(text))
                    : !strcmp(name, "expected") ? json_boolean(!strcmp(text, "yes"))
                                                : json_string(text);
    if (value)
      json_object_set_new(row, name, value);
  }
  if (ok && json_object_get(row, "verdict"))
    return row;
  json_decref(row);
  return NULL;
}

void row_put(FILE *file, const json_t *row) {
  for (size_t i = 0; i < COLUMNS; i++) {
    char text[4096];
    row_field(row, columns[i], text, sizeof text);
    row_put_field(file, text);
    fputc(i + 1 < COLUMNS ? ',' : '\n', file);
  }
}
