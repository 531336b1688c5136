#include "output/messages.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// `:` and digits; the length, 0 if it is not that.
static size_t number_at(const char *text) {
  size_t length = 1;
  if (*text != ':')
    return 0;
  while (text[length] >= '0' && text[length] <= '9')
    length++;
  return length > 1 ? length : 0;
}

// Where `:line:column: ` or `:line: ` begins in the first line, -1 if it does not.
static long find_place(const char *text, size_t *line, size_t *column) {
  for (const char *at = strchr(text, ':'); at && at < text + strcspn(text, "\n");
       at = strchr(at + 1, ':')) {
    *line = number_at(at);
    *column = *line ? number_at(at + *line) : 0;
    if (*line && at > text && at[*line + *column] == ':' && at[*line + *column + 1] == ' ')
      return at - text;
  }
  return -1;
}

// Bytes of a model that are no UTF-8 become question marks.
static json_t *json_text(const char *text, size_t size) {
  json_t *string = json_stringn(text, size);
  if (string)
    return string;
  char *copy = malloc(size + 1);
  for (size_t i = 0; copy && i < size; i++)
    copy[i] = (unsigned char)text[i] < 128 ? text[i] : '?';
  string = copy ? json_stringn(copy, size) : NULL;
  free(copy);
  return string;
}

json_t *messages_text(const char *text) { return json_text(text, strlen(text)); }

// The first line as a message; the rest of it comes later.
static json_t *begin_message(const char *text, size_t size) {
  json_t *message = json_object();
  size_t line, column;
  json_object_set_new(message, "command", json_string("tarn"));
  const long at = find_place(text, &line, &column);
  if (at >= 0) {
    json_object_set_new(message, "file", json_text(text, (size_t)at));
    json_object_set_new(message, "line", json_integer(atoi(text + at + 1)));
    if (column)
      json_object_set_new(message, "column", json_integer(atoi(text + at + line + 1)));
    const size_t used = (size_t)at + line + column + 2;
    text += used;
    size -= used;
  }
  if (size >= 9 && !strncmp(text, "warning: ", 9)) {
    text += 9;
    size -= 9;
  }
  json_object_set_new(message, "text", json_text(text, size));
  return message;
}

static void add_detail(json_t *message, const char *text, size_t size) {
  const char *old = json_string_value(json_object_get(message, "detail"));
  json_t *line = json_text(text, size);
  json_t *detail = line && old ? json_sprintf("%s\n%s", old, json_string_value(line)) : NULL;
  json_object_set(message, "detail", detail ? detail : line);
  json_decref(line);
  json_decref(detail);
}

json_t *messages_json(const char *text) {
  json_t *list = json_array(), *message = NULL;
  unsigned excerpt = 0; // lines of it to come
  while (*text) {
    const size_t size = strcspn(text, "\n");
    if (excerpt && !strncmp(text, "  ", 2))
      excerpt--;
    else if (message && (*text == ' ' || !strncmp(text, "after this run", 14)))
      add_detail(message, text, size);
    else {
      message = begin_message(text, size);
      excerpt = json_object_get(message, "file") ? 2 : 0;
      json_array_append_new(list, message);
    }
    text += size + (text[size] == '\n');
  }
  return list;
}
