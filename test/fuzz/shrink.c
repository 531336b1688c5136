#define _GNU_SOURCE
#include "shrink.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned shrink_declarations(const char *model) {
  unsigned count = 0;
  while (*model) {
    const size_t length = strcspn(model, "\n");
    count += length > 0 && *model != '#';
    model += length + (model[length] == '\n');
  }
  return count;
}

// Takes the candidate (which is then owned) if it still is a finding.
static bool take_model(Shrunk *s, char *candidate) {
  s->attempts++;
  if (!strcmp(candidate, s->model) || s->attempt(s->context, candidate, s->query) != FOUND) {
    free(candidate);
    return false;
  }
  free(s->model);
  s->model = candidate;
  return true;
}

// The text with [from, to) replaced.
static char *spliced(const char *text, size_t from, size_t to, const char *by) {
  char *result = NULL;
  if (asprintf(&result, "%.*s%s%s", (int)from, text, by, text + to) < 0)
    abort();
  return result;
}

static size_t line_end(const char *text, size_t from) {
  const size_t length = strcspn(text + from, "\n");
  return from + length + (text[from + length] == '\n');
}

// Removes runs of lines, long ones first.
static bool drop_lines(Shrunk *s) {
  bool changed = false;
  for (unsigned size = shrink_declarations(s->model); size; size /= 2)
    for (size_t from = 0; s->model[from];) {
      size_t to = from;
      for (unsigned i = 0; i < size && s->model[to]; i++)
        to = line_end(s->model, to);
      if (take_model(s, spliced(s->model, from, to, "")))
        changed = true;
      else
        from = line_end(s->model, from);
    }
  return changed;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool mentions(const char *line, size_t length, const char *word) {
  const size_t size = strlen(word);
  for (size_t i = 0; i + size <= length; i++)
    if (!strncmp(line + i, word, size) && (!i || !is_word(line[i - 1])) &&
        !is_word(line[i + size]))
      return true;
  return false;
}

// Removes all lines that mention a name: that of a process, an event, a clock, ...
static bool drop_names(Shrunk *s) {
  bool changed = false;
  for (size_t from = 0; s->model[from];) {
    const size_t end = line_end(s->model, from);
    size_t last = end - 1;
    for (size_t i = from; i < end; i++)
      if (s->model[i] == '{' || s->model[i] == '\n') {
        last = i;
        break;
      }
    size_t first = last;
    while (first > from && is_word(s->model[first - 1]))
      first--;
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(last - first), s->model + first);
    char *result = strdup("");
    for (size_t at = 0; *word && s->model[at];) {
      const size_t next = line_end(s->model, at);
      if (!mentions(s->model + at, next - at, word)) {
        char *longer = NULL;
        if (asprintf(&longer, "%s%.*s", result, (int)(next - at), s->model + at) < 0)
          abort();
        free(result);
        result = longer;
      }
      at = next;
    }
    if (*word && take_model(s, result))
      changed = true;
    else
      from = end;
    if (!*word)
      free(result);
  }
  return changed;
}

// Removes pieces between separators inside of braces: attributes, conjuncts, statements.
static bool drop_pieces(Shrunk *s, const char *separator) {
  bool changed = false;
  const size_t width = strlen(separator);
  for (size_t at = 0; s->model[at]; at++) {
    if (s->model[at] != '{')
      continue;
    for (size_t from = at + 1;
         s->model[from] && s->model[from] != '}' && s->model[from] != '\n';) {
      size_t to = from;
      while (s->model[to] && s->model[to] != '}' && strncmp(s->model + to, separator, width))
        to++;
      const bool has_next = s->model[to] != '}' && s->model[to];
      // With the separator after it, or the one before it.
      if (take_model(s, spliced(s->model, from, has_next ? to + width : to, "")) ||
          (!has_next && from > at + width &&
           take_model(s, spliced(s->model, from - width, to, "")))) {
        changed = true;
        break;
      }
      from = has_next ? to + width : to;
    }
  }
  return changed;
}

// One conjunct of a guard that also has a key: `provided:a&&b` to `provided:b`.
static bool drop_first_conjuncts(Shrunk *s) {
  static const char *const keys[] = {"provided:", "invariant:", "do:"};
  bool changed = false;
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    for (size_t at = 0; s->model[at]; at++) {
      if (strncmp(s->model + at, keys[k], strlen(keys[k])))
        continue;
      const size_t from = at + strlen(keys[k]);
      const char *separator = k == 2 ? ";" : "&&";
      const char *next = strstr(s->model + from, separator);
      const size_t end = from + strcspn(s->model + from, "}\n");
      if (next && (size_t)(next - s->model) < end)
        changed |= take_model(
            s, spliced(s->model, from, (size_t)(next - s->model) + strlen(separator), ""));
      // And everything after the first.
      next = strstr(s->model + from, separator);
      const char *stop = strstr(s->model + from, " : ");
      const size_t till =
          stop && (size_t)(stop - s->model) < end ? (size_t)(stop - s->model) : end;
      if (next && (size_t)(next - s->model) < till && till <= strlen(s->model))
        changed |= take_model(s, spliced(s->model, (size_t)(next - s->model), till, ""));
    }
  return changed;
}

// Smaller numbers: 0, then half, then one less.
static bool lower_numbers(Shrunk *s) {
  bool changed = false;
  for (size_t at = 0; s->model[at]; at++) {
    if (!isdigit((unsigned char)s->model[at]) || (at && is_word(s->model[at - 1])))
      continue;
    const long value = strtol(s->model + at, NULL, 10);
    const size_t end = at + strspn(s->model + at, "0123456789");
    const long smaller[] = {0, value / 2, value - 1};
    for (int i = 0; i < 3 && value > 0; i++) {
      char number[24];
      snprintf(number, sizeof number, "%ld", smaller[i]);
      if (smaller[i] < value && take_model(s, spliced(s->model, at, end, number))) {
        changed = true;
        break;
      }
    }
  }
  return changed;
}

// Another location in place of one, everywhere in a model and its query: `l2` becomes `l0`.
static bool merge_locations(Shrunk *s) {
  bool changed = false;
  for (int from = 1; from < 6; from++)
    for (size_t at = 0; s->model[at]; at++) {
      char name[16];
      const int length = snprintf(name, sizeof name, ":l%d:", from);
      if (!strncmp(s->model + at, name, (size_t)length)) {
        snprintf(name, sizeof name, ":l%d:", from - 1);
        changed |= take_model(s, spliced(s->model, at, at + (size_t)length, name));
      }
    }
  return changed;
}

// The name that a declaration ends with, if it is one of this kind.
static bool declares(const char *line, const char *kind, char *name, size_t size) {
  const size_t length = strlen(kind);
  if (strncmp(line, kind, length) || line[length] != ':')
    return false;
  const size_t end = strcspn(line, "{\n");
  size_t from = end;
  while (is_word(line[from - 1]))
    from--;
  snprintf(name, size, "%.*s", (int)(end - from), line + from);
  return true;
}

// The text with each word `old` replaced, and without the line at `dropped`.
static char *renamed(const char *text, const char *old, const char *new, size_t dropped) {
  char *result = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&result, &size);
  const size_t length = strlen(old);
  for (size_t i = 0; text[i];) {
    if (i == dropped) {
      i = line_end(text, i);
    } else if (!strncmp(text + i, old, length) && (!i || !is_word(text[i - 1])) &&
               !is_word(text[i + length])) {
      fputs(new, file);
      i += length;
    } else {
      fputc(text[i++], file);
    }
  }
  fclose(file);
  return result;
}

// One clock, event or variable in place of two.
static bool merge_names(Shrunk *s, const char *kind) {
  char first[64], second[64];
  bool changed = false;
  for (size_t a = 0; s->model[a]; a = line_end(s->model, a)) {
    if (!declares(s->model + a, kind, first, sizeof first))
      continue;
    for (size_t b = line_end(s->model, a); s->model[b]; b = line_end(s->model, b))
      if (declares(s->model + b, kind, second, sizeof second) &&
          take_model(s, renamed(s->model, second, first, b))) {
        changed = true;
        break;
      }
  }
  return changed;
}

static bool take_query(Shrunk *s, char *candidate) {
  s->attempts++;
  if (s->attempt(s->context, s->model, candidate) != FOUND) {
    free(candidate);
    return false;
  }
  free(s->query);
  s->query = candidate;
  return true;
}

static bool shorten_query(Shrunk *s) {
  char *and = strstr(s->query, " && ");
  for (; and; and = strstr(and+1, " && ")) {
    const size_t at = (size_t)(and-s->query);
    const size_t before = strlen("E<> ");
    char *next = strstr(and+1, " && ");
    const size_t end = next ? (size_t)(next - s->query) : strlen(s->query);
    if (take_query(s, spliced(s->query, at, end, "")) ||
        (at > before && take_query(s, spliced(s->query, before, at + strlen(" && "), ""))))
      return true;
  }
  return false;
}

void shrink(Shrunk *s) {
  s->query = strdup(s->query);
  bool changed = true;
  for (int round = 0; changed && round < 10; round++) {
    changed = drop_lines(s);
    changed |= drop_names(s);
    changed |= shorten_query(s);
    changed |= drop_pieces(s, " : ");
    changed |= drop_pieces(s, "&&");
    changed |= drop_pieces(s, ";");
    changed |= drop_first_conjuncts(s);
    changed |= merge_locations(s);
    changed |= merge_names(s, "event");
    changed |= merge_names(s, "clock:1");
    changed |= merge_names(s, "int:1");
    changed |= lower_numbers(s);
  }
}
