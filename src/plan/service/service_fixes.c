#include "plan/service/service_fixes.h"

#include "plan/service/service_answers.h"
#include "plan/service/service_json.h"

#include <stdio.h>
#include <string.h>

#define NOTHING UINT32_MAX

typedef struct Fix {
  uint32_t begin, end;
  char text[200]; // that replaces it
  char title[300];
} Fix;

static const NameToken *token_at(const ServiceDocument *d, uint32_t offset) {
  const uint32_t k = service_names_at(&d->names, offset);
  return k != NOTHING && d->names.tokens.items[k].offset == offset ? &d->names.tokens.items[k]
                                                                   : NULL;
}

// What stands in the quotes behind `words` in a message; false if they are not there.
static bool quoted(const char *message, const char *words, char *text, size_t size) {
  const char *at = strstr(message, words);
  if (!at)
    return false;
  at += strlen(words);
  const size_t length = strcspn(at, "`");
  if (!length || length >= size || at[length] != '`' || strcspn(at, " \t\n") < length)
    return false;
  memcpy(text, at, length);
  text[length] = '\0';
  return true;
}

// In XML, `<` and `&` are written in another way.
static bool fits(const ServiceDocument *d, const char *text) {
  const bool is_xml = d->source.size && *d->source.text == '<';
  return !is_xml || !strpbrk(text, "<>&");
}

// The sign may be two tokens, and the message names one of them: `=<`, `-->`.
static void widen(const ServiceDocument *d, Fix *fix) {
  const char *text = d->source.text;
  const size_t length = strlen(fix->text);
  if (strchr("<>=", fix->text[0]) && length == 2 && fix->begin && text[fix->begin - 1] == '=')
    fix->begin--;
  if (!strcmp(fix->text, "->") && text[fix->end] == '>')
    fix->end++;
}

// The end of the token before an offset.
static uint32_t end_before(const ServiceDocument *d, uint32_t offset) {
  uint32_t end = 0;
  for (uint32_t k = 0; k < d->names.tokens.size && d->names.tokens.items[k].offset < offset; k++)
    end = d->names.tokens.items[k].offset + d->names.tokens.items[k].length;
  return end;
}

// `x = 3` in a guard: the sign stands behind the place of the message.
static bool fix_assignment(const ServiceDocument *d, uint32_t offset, Fix *fix) {
  const uint32_t first = service_names_at(&d->names, offset);
  const NameToken *tokens = d->names.tokens.items;
  for (uint32_t k = first; k < d->names.tokens.size && k < first + 20; k++) {
    if (tokens[k].text != tokens[first].text || tokens[k].sign == ';' || tokens[k].sign == ',')
      return false;
    if (tokens[k].length == 1 && d->source.text[tokens[k].offset] == '=') {
      fix->begin = tokens[k].offset;
      fix->end = fix->begin + 1;
      strcpy(fix->text, "==");
      strcpy(fix->title, "Compare: replace `=` by `==`");
      return true;
    }
  }
  return false;
}

// "`==>` is not an operator; ...": all of it is replaced, however many tokens it is.
static void take_whole_sign(const ServiceDocument *d, const Message *message, Fix *fix) {
  const char *end = strstr(message->text, "` is not an operator");
  if (*message->text != '`' || !end)
    return;
  const size_t length = (size_t)(end - message->text - 1);
  if (length <= d->source.size - fix->begin &&
      !memcmp(d->source.text + fix->begin, message->text + 1, length))
    fix->end = fix->begin + (uint32_t)length;
}

// Whether what a message says is to be written can replace what stands at its place. A message
// about what was expected says so directly behind what was found.
static bool replaces(const ServiceDocument *d, const Message *message, const Fix *fix) {
  const char *at = strstr(message->text, "write `");
  if (at && !strncmp(message->text, "expected ", 9) && !strstr(message->text, "`; write `"))
    return false;
  const bool is_quantifier = strstr(fix->text, "<>") || strstr(fix->text, "[]");
  return !is_quantifier || fix->end >= d->source.size || strchr(" \t(", d->source.text[fix->end]);
}

static bool fix_message(const ServiceDocument *d, const Message *message, uint32_t offset,
                        Fix *fix) {
  const NameToken *t = token_at(d, offset);
  fix->begin = offset;
  fix->end = t ? offset + t->length : offset + 1;
  if (strstr(message->text, "`==`") && (!t || t->sign != '='))
    return fix_assignment(d, offset, fix);
  if (quoted(message->text, "did you mean `", fix->text, sizeof fix->text) ||
      quoted(message->text, "write `", fix->text, sizeof fix->text)) {
    if (!t || !fits(d, fix->text))
      return false;
    widen(d, fix);
    take_whole_sign(d, message, fix);
    if (!replaces(d, message, fix))
      return false;
    snprintf(fix->title, sizeof fix->title, "Replace by `%s`", fix->text);
    return true;
  }
  if (!strncmp(message->text, "expected `;`", 12)) {
    fix->begin = fix->end = end_before(d, offset);
    strcpy(fix->text, ";");
    strcpy(fix->title, "Insert `;`");
    return true;
  }
  return false;
}

// `int a, b;` without one of them: with a comma, or the whole declaration if it is alone.
static bool remove_declaration(const ServiceDocument *d, uint32_t number, Fix *fix) {
  const NameToken *tokens = d->names.tokens.items;
  const uint32_t count = d->names.tokens.size;
  uint32_t k = 0, uses = 0, first = 0;
  for (uint32_t i = 0; i < count; i++)
    if (tokens[i].definition == number && !uses++)
      first = i;
  if (uses != 1 || d->language != SERVICE_UPPAAL)
    return false;
  k = first;
  uint32_t depth = 0, last = k;
  while (last + 1 < count && tokens[last + 1].text == tokens[k].text &&
         (depth || (tokens[last + 1].sign != ',' && tokens[last + 1].sign != ';'))) {
    last++;
    depth += tokens[last].sign == '{' || tokens[last].sign == '[' || tokens[last].sign == '(';
    depth -= depth &&
             (tokens[last].sign == '}' || tokens[last].sign == ']' || tokens[last].sign == ')');
  }
  if (last + 1 >= count || !k)
    return false;
  const char before = tokens[k - 1].sign, after = tokens[last + 1].sign;
  if (after == ',') {
    fix->begin = tokens[k].offset;
    fix->end = tokens[last + 2 < count ? last + 2 : last + 1].offset;
  } else if (before == ',') {
    fix->begin = tokens[k - 1].offset;
    fix->end = tokens[last + 1].offset;
  } else if (after == ';') { // alone: from the beginning of its type on
    uint32_t begin = k;
    while (begin && tokens[begin - 1].text == tokens[k].text && tokens[begin - 1].sign != ';' &&
           tokens[begin - 1].sign != '}' && tokens[begin - 1].sign != '{')
      begin--;
    fix->begin = tokens[begin].offset;
    fix->end = tokens[last + 1].offset + 1;
  } else {
    return false;
  }
  *fix->text = '\0';
  snprintf(fix->title, sizeof fix->title, "Remove the unused declaration of `%.100s`",
           d->names.definitions.items[number].name);
  return true;
}

static bool fix_finding(const ServiceDocument *d, const ServiceFinding *finding, uint32_t offset,
                        Fix *fix) {
  const uint32_t k = service_names_at(&d->names, offset);
  if (k == NOTHING)
    return false;
  const NameToken *tokens = d->names.tokens.items;
  if (finding->is_unused && tokens[k].definition != NOTHING)
    return remove_declaration(d, tokens[k].definition, fix);
  if (strcmp(finding->kind, "effect") != 0)
    return false;
  for (uint32_t i = k; i < d->names.tokens.size && i < k + 20 && tokens[i].sign != ';'; i++)
    if (tokens[i].length == 2 && !memcmp(d->source.text + tokens[i].offset, "==", 2)) {
      fix->begin = tokens[i].offset;
      fix->end = fix->begin + 2;
      strcpy(fix->text, "=");
      strcpy(fix->title, "Assign: replace `==` by `=`");
      return true;
    }
  return false;
}

static void add_action(const ServiceDocument *d, json_t *list, const Fix *fix,
                       json_t *diagnostic) {
  json_array_append_new(list, json_pack("{s:s, s:s, s:b, s:[o], s:{s:{s:[{s:o, s:s}]}}}", "title",
                                        fix->title, "kind", "quickfix", "isPreferred", 1,
                                        "diagnostics", diagnostic, "edit", "changes", d->uri,
                                        "range", service_json_range(d, fix->begin, fix->end),
                                        "newText", fix->text));
}

json_t *service_fixes(const ServiceDocument *d, uint32_t begin, uint32_t end) {
  json_t *list = json_array();
  Fix fix;
  for (uint32_t i = 0; i < d->messages.size + d->findings.size; i++) {
    const Message *message = i < d->messages.size ? &d->messages.items[i] : NULL;
    const ServiceFinding *finding = message ? NULL : &d->findings.items[i - d->messages.size];
    const uint32_t offset =
        service_names_offset(&d->names, message ? message->place : finding->place);
    if (offset == NOTHING)
      continue;
    const NameToken *t = token_at(d, offset);
    if (offset > end || (t ? offset + t->length : offset + 1) < begin)
      continue;
    if (message ? fix_message(d, message, offset, &fix) : fix_finding(d, finding, offset, &fix))
      add_action(d, list, &fix,
                 message ? service_diagnostic(d, message)
                         : service_finding_diagnostic(d, finding));
  }
  return list;
}
