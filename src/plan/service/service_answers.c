#include "plan/service/service_answers.h"

#include "language/uppaal/token.h"
#include "model/expr/print.h"
#include "plan/service/service_edits.h"
#include "plan/service/service_json.h"

#include <string.h>

#define NOTHING UINT32_MAX

static json_t *location_json(const ServiceDocument *d, uint32_t begin, uint32_t end) {
  return json_pack("{s:s, s:o}", "uri", d->uri, "range", service_json_range(d, begin, end));
}

// Diagnostics.

static json_t *diagnostic_json(const ServiceDocument *d, Place place, int severity,
                               const char *text, const char *code) {
  uint32_t begin = service_names_offset(&d->names, place);
  begin = begin == NOTHING ? 0 : begin;
  const uint32_t k = service_names_at(&d->names, begin);
  const NameToken *t = k == NOTHING ? NULL : &d->names.tokens.items[k];
  const uint32_t end = t && t->offset == begin ? begin + t->length : begin + 1;
  json_t *json =
      json_pack("{s:o, s:i, s:s, s:o}", "range", service_json_range(d, begin, end), "severity",
                severity, "source", "tarn", "message", service_json_text(text, strlen(text)));
  if (code)
    json_object_set_new(json, "code", json_string(code));
  return json;
}

json_t *service_diagnostic(const ServiceDocument *d, const Message *message) {
  return diagnostic_json(d, message->place, message->is_warning ? 2 : 1, message->text, NULL);
}

json_t *service_finding_diagnostic(const ServiceDocument *d, const ServiceFinding *finding) {
  json_t *json =
      diagnostic_json(d, finding->place, finding->is_note ? 3 : 2, finding->text, finding->kind);
  if (finding->is_unused)
    json_object_set_new(json, "tags", json_pack("[i]", 1)); // not needed
  return json;
}

json_t *service_diagnostics(const ServiceDocument *d) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < d->messages.size; i++)
    json_array_append_new(list, service_diagnostic(d, &d->messages.items[i]));
  for (uint32_t i = 0; i < d->findings.size; i++)
    json_array_append_new(list, service_finding_diagnostic(d, &d->findings.items[i]));
  return list;
}

json_t *service_report(const ServiceDocument *d) {
  return json_pack("{s:s, s:o}", "kind", "full", "items", service_diagnostics(d));
}

// Names.

// The definition that a token means; of a file of queries it is in the model.
static const Definition *meaning(const ServiceDocument *d, uint32_t offset, uint32_t *token) {
  *token = service_names_at(&d->names, offset);
  if (*token == NOTHING)
    return NULL;
  const uint32_t number = d->names.tokens.items[*token].definition;
  const ServiceNames *names = d->language == SERVICE_QUERIES ? &d->model_names : &d->names;
  return number < names->definitions.size ? &names->definitions.items[number] : NULL;
}

static uint32_t number_of(const ServiceDocument *d, uint32_t token) {
  return d->names.tokens.items[token].definition;
}

json_t *service_definition(const ServiceDocument *d, uint32_t offset) {
  uint32_t token;
  const Definition *found = meaning(d, offset, &token);
  if (!found)
    return json_null();
  if (d->language != SERVICE_QUERIES)
    return location_json(d, found->offset, found->offset + found->length);
  Mem mem = {0};
  ServiceDocument model = {.language = SERVICE_UPPAAL};
  service_text_set(&model.text, &mem, d->model_source.text, d->model_source.size);
  Text uri = {.mem = &mem};
  text_addf(&uri, "%s%s", d->model_source.name[0] == '/' ? "file://" : "", d->model_source.name);
  json_t *result =
      json_pack("{s:s, s:o}", "uri", text_chars(&uri), "range",
                service_json_range(&model, found->offset, found->offset + found->length));
  mem_release(&mem);
  return result ? result : json_null();
}

json_t *service_references(const ServiceDocument *d, uint32_t offset, bool with_definition) {
  uint32_t token;
  const Definition *found = meaning(d, offset, &token);
  json_t *list = json_array();
  const uint32_t number = found ? number_of(d, token) : NOTHING;
  for (uint32_t k = 0; found && k < d->names.tokens.size; k++) {
    const NameToken *t = &d->names.tokens.items[k];
    if (t->definition == number && (with_definition || t->offset != found->offset))
      json_array_append_new(list, location_json(d, t->offset, t->offset + t->length));
  }
  return list;
}

json_t *service_highlights(const ServiceDocument *d, uint32_t offset) {
  json_t *list = service_references(d, offset, true);
  size_t i;
  json_t *item;
  json_array_foreach(list, i, item) json_object_del(item, "uri");
  return list;
}

static const char *const kind_names[DEFINE_KINDS] = {
    "variable", "constant",  "clock",    "channel", "type",    "field",
    "function", "parameter", "template", "process", "location"};

// Numbers of the protocol: SymbolKind and CompletionItemKind.
static const int symbol_kinds[DEFINE_KINDS] = {13, 14, 13, 24, 26, 8, 12, 13, 5, 19, 22};
static const int completion_kinds[DEFINE_KINDS] = {6, 21, 6, 23, 25, 5, 3, 6, 7, 9, 20};

// What the model says of it once it is read: ranges and values, processes.
static void add_model(Text *text, const ServiceDocument *d, const Definition *definition) {
  const Net *net = &d->net;
  if (!d->has_model)
    return;
  uint32_t shown = 0;
  for (uint32_t i = 0; i < net->variables.size && shown < 3; i++) {
    const Name *name = &net->variables.items[i];
    const Source *source = definition ? name->place.source : NULL;
    if (!source || service_names_offset(&d->names, name->place) != definition->offset)
      continue;
    const Type *type = name->type;
    while (type && type->kind == TYPE_ARRAY)
      type = type->element;
    if (type && type->kind == TYPE_INT)
      text_addf(text, "\n\n`%s` has values from %d to %d", name->name, (int)type->min,
                (int)type->max);
    shown++;
  }
  if (definition->kind != DEFINE_TEMPLATE)
    return;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Process *process = &net->processes.items[p];
    if (!process->template_name || strcmp(process->template_name, definition->name))
      continue;
    if (shown++ < 20)
      text_addf(text, "%s`%s`", shown == 1 ? "\n\nmakes the processes " : ", ", process->name);
  }
  if (shown > 20)
    text_addf(text, " and %u more", (unsigned)(shown - 20));
}

// The guards of the edges that a template's edge at this place became.
static void add_guards(Text *text, const ServiceDocument *d, uint32_t token) {
  const NameToken *t = &d->names.tokens.items[token];
  uint32_t shown = 0;
  uint32_t k = token;
  while (k > 0 && d->names.tokens.items[k].sign != '{')
    k--;
  const uint32_t begin = k >= 3 ? d->names.tokens.items[k - 3].offset : 0;
  for (EdgeId e = 0; e < d->net.edges.size && d->has_model && shown < 8; e++) {
    const Edge *edge = &d->net.edges.items[e];
    const uint32_t at = service_names_offset(&d->names, edge->place);
    if (!edge->guard_expr || at < begin || at > t->offset)
      continue;
    text_addf(text, "%s%s: `", shown++ ? "\n\n" : "", d->net.processes.items[edge->process].name);
    expr_print(text, edge->guard_expr);
    text_add(text, "`");
  }
}

json_t *service_hover(const ServiceDocument *d, uint32_t offset) {
  uint32_t token;
  const Definition *found = meaning(d, offset, &token);
  if (token == NOTHING)
    return json_null();
  Mem mem = {0};
  Text text = {.mem = &mem};
  const NameToken *t = &d->names.tokens.items[token];
  if (found) {
    text_addf(&text, "```\n%s\n```\n%s", found->detail ? found->detail : found->name,
              kind_names[found->kind]);
    if (found->container)
      text_addf(&text, " of `%s`", found->container);
    if (d->language != SERVICE_QUERIES)
      add_model(&text, d, found);
  } else if (t->kind == NAME_WORD && t->length == 5 &&
             !memcmp(d->source.text + t->offset, "guard", 5)) {
    add_guards(&text, d, token);
  }
  json_t *result = text.size
                       ? json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind", "markdown", "value",
                                   service_json_text(text.chars, text.size), "range",
                                   service_json_range(d, t->offset, t->offset + t->length))
                       : json_null();
  mem_release(&mem);
  return result ? result : json_null();
}

static const char *const uppaal_words[] = {
#define W(word) #word,
    UPPAAL_WORDS(W)
#undef W
        NULL};
static const char *const tck_words[] = {
    "system",  "process",   "event",    "clock", "int",       "location", "edge",   "sync",
    "initial", "invariant", "provided", "do",    "committed", "urgent",   "labels", NULL};
static const char *const query_words[] = {"E<>", "A[]", "E[]",      "A<>",    "imply",  "and",
                                          "or",  "not", "deadlock", "forall", "exists", "sum",
                                          "sup", "inf", "bounds",   "true",   "false",  NULL};

static void add_item(json_t *items, const char *label, int kind, const char *detail) {
  json_t *item =
      json_pack("{s:o, s:i}", "label", service_json_text(label, strlen(label)), "kind", kind);
  if (detail)
    json_object_set_new(item, "detail", service_json_text(detail, strlen(detail)));
  json_array_append_new(items, item);
}

json_t *service_completion(const ServiceDocument *d, uint32_t offset) {
  const ServiceNames *names = d->language == SERVICE_QUERIES ? &d->model_names : &d->names;
  json_t *items = json_array();
  // Behind a dot, perhaps with the beginning of a name, are members.
  uint32_t k = 0;
  while (k < d->names.tokens.size && d->names.tokens.items[k].offset < offset)
    k++;
  const NameToken *tokens = d->names.tokens.items;
  if (k && tokens[k - 1].kind != NAME_SIGN &&
      tokens[k - 1].offset + tokens[k - 1].length >= offset)
    k--;
  const bool is_member = k && tokens[k - 1].sign == '.';
  const char *container = NULL;
  if (is_member && k >= 2) {
    const uint32_t before = tokens[k - 2].definition;
    const Definition *base =
        before < names->definitions.size ? &names->definitions.items[before] : NULL;
    container = d->language != SERVICE_QUERIES ? service_names_container(&d->names, k)
                : base                         ? (base->made_from ? base->made_from : base->name)
                                               : "";
  }
  for (uint32_t i = 0; i < names->definitions.size; i++) {
    const Definition *one = &names->definitions.items[i];
    const bool is_visible = is_member ? container && one->container &&
                                            (!strcmp(one->container, container) ||
                                             (one->kind == DEFINE_FIELD && !*container))
                                      : one->kind != DEFINE_FIELD &&
                                            (d->language == SERVICE_QUERIES
                                                 ? !one->container
                                                 : offset >= one->from && offset <= one->until);
    if (is_visible)
      add_item(items, one->name, completion_kinds[one->kind], one->detail);
  }
  const char *const *words = d->language == SERVICE_UPPAAL     ? uppaal_words
                             : d->language == SERVICE_TCHECKER ? tck_words
                                                               : query_words;
  for (; *words && !is_member; words++)
    add_item(items, *words, 14, NULL);
  return json_pack("{s:b, s:o}", "isIncomplete", 0, "items", items);
}

json_t *service_signature(const ServiceDocument *d, uint32_t offset) {
  const NameToken *tokens = d->names.tokens.items;
  uint32_t k = 0;
  while (k < d->names.tokens.size && tokens[k].offset < offset)
    k++;
  int depth = 0, commas = 0;
  for (; k-- > 0;) {
    depth += tokens[k].sign == ')' || tokens[k].sign == ']';
    commas += tokens[k].sign == ',' && !depth;
    if (tokens[k].sign == ';' || tokens[k].sign == '{' || tokens[k].sign == '}')
      return json_null();
    if (tokens[k].sign != '(' && tokens[k].sign != '[')
      continue;
    if (depth--)
      continue;
    const uint32_t number = k ? tokens[k - 1].definition : NOTHING;
    const Definition *found =
        number < d->names.definitions.size ? &d->names.definitions.items[number] : NULL;
    if (!found || !found->detail ||
        (found->kind != DEFINE_FUNCTION && found->kind != DEFINE_TEMPLATE))
      return json_null();
    json_t *parameters = json_array();
    const char *open = strchr(found->detail, '('), *close = strrchr(found->detail, ')');
    for (const char *at = open ? open + 1 : close; at && close && at < close;) {
      const size_t length = strcspn(at, ",)");
      json_array_append_new(parameters,
                            json_pack("{s:o}", "label", service_json_text(at, length)));
      at += length + 1;
      at += strspn(at, " ");
    }
    return json_pack("{s:[{s:s, s:o}], s:i, s:i}", "signatures", "label", found->detail,
                     "parameters", parameters, "activeSignature", 0, "activeParameter", commas);
  }
  return json_null();
}

static bool is_name(const char *name, ServiceLanguage language) {
  const size_t length = strlen(name);
  const char *const *words = language == SERVICE_TCHECKER ? tck_words : uppaal_words;
  for (size_t i = 0; i < length; i++)
    if (!((name[i] >= 'a' && name[i] <= 'z') || (name[i] >= 'A' && name[i] <= 'Z') ||
          name[i] == '_' || (i && name[i] >= '0' && name[i] <= '9')))
      return false;
  for (; *words; words++)
    if (!strcmp(*words, name))
      return false;
  return length;
}

static bool is_text_of(const ServiceDocument *d, const NameToken *t, const char *name) {
  return t->length == strlen(name) && !memcmp(d->source.text + t->offset, name, t->length);
}

// Whether there is something of the name, or a variable of an update, which is not defined.
static bool clashes_in_tck(const ServiceDocument *d, const Definition *found, const char *name) {
  const ServiceNames *names = &d->names;
  const bool is_variable = found->kind == DEFINE_VARIABLE || found->kind == DEFINE_CLOCK;
  for (uint32_t k = 0; is_variable && k < names->tokens.size; k++)
    if (names->tokens.items[k].kind == NAME_NAME &&
        names->tokens.items[k].definition == NOTHING &&
        is_text_of(d, &names->tokens.items[k], name))
      return true;
  return service_names_sort(names, name, strlen(name), found->kind, found->container) != NOTHING;
}

// Whether a definition cannot have this name: where it is used the name means something else, or
// what has the name now would mean this definition.
static bool clashes(const ServiceDocument *d, uint32_t number, const char *name) {
  const ServiceNames *names = &d->names;
  const Definition *found = &names->definitions.items[number];
  const char *container =
      found->kind == DEFINE_LOCATION || found->kind == DEFINE_FIELD ? found->container : NULL;
  if (d->language == SERVICE_TCHECKER)
    return clashes_in_tck(d, found, name);
  for (uint32_t k = 0; k < names->tokens.size; k++) {
    const NameToken *t = &names->tokens.items[k];
    const bool is_member = k && names->tokens.items[k - 1].sign == '.';
    if (t->definition == number && (container || !is_member) &&
        service_names_resolve(names, name, strlen(name), t->offset, container) != NOTHING)
      return true;
    if (t->definition == number || is_member || t->kind != NAME_NAME || !is_text_of(d, t, name))
      continue;
    const Definition *other =
        t->definition < names->definitions.size ? &names->definitions.items[t->definition] : NULL;
    if (t->offset >= found->from && t->offset <= found->until &&
        (!other || other->until >= found->until))
      return true;
  }
  return false;
}

json_t *service_rename(const ServiceDocument *d, uint32_t offset, const char *name,
                       const char **why) {
  uint32_t token;
  const Definition *found = d->language == SERVICE_QUERIES ? NULL : meaning(d, offset, &token);
  *why = !found                        ? "there is no name here that can be changed"
         : !is_name(name, d->language) ? "this cannot be a name"
                                       : NULL;
  if (*why)
    return NULL;
  const uint32_t number = number_of(d, token);
  if (clashes(d, number, name)) {
    *why = "there is something of this name already";
    return NULL;
  }
  json_t *edits = json_array();
  for (uint32_t k = 0; k < d->names.tokens.size; k++) {
    const NameToken *t = &d->names.tokens.items[k];
    if (t->definition != number)
      continue;
    json_array_append_new(edits,
                          json_pack("{s:o, s:s}", "range",
                                    service_json_range(d, t->offset, t->offset + t->length),
                                    "newText", name));
  }
  return json_pack("{s:{s:o}}", "changes", d->uri, edits);
}

// The whole of the text.

static bool is_outer(const Definition *one) {
  return one->kind != DEFINE_PARAMETER && one->kind != DEFINE_FIELD;
}

static json_t *symbol_json(const ServiceDocument *d, const Definition *one) {
  json_t *symbol =
      json_pack("{s:o, s:i, s:o, s:o}", "name", service_json_text(one->name, one->length), "kind",
                symbol_kinds[one->kind], "range", service_json_range(d, one->begin, one->end),
                "selectionRange", service_json_range(d, one->offset, one->offset + one->length));
  if (one->detail)
    json_object_set_new(symbol, "detail", service_json_text(one->detail, strlen(one->detail)));
  return symbol;
}

json_t *service_symbols(const ServiceDocument *d) {
  json_t *list = json_array(), *parent = NULL;
  const Definition *of = NULL;
  for (uint32_t i = 0; i < d->names.definitions.size; i++) {
    const Definition *one = &d->names.definitions.items[i];
    if (!is_outer(one))
      continue;
    json_t *symbol = symbol_json(d, one);
    if (one->kind == DEFINE_TEMPLATE || one->kind == DEFINE_FUNCTION) {
      of = one;
      parent = symbol;
      json_object_set_new(symbol, "children", json_array());
      json_array_append_new(list, symbol);
    } else if (of && one->offset > of->begin && one->offset < of->end) {
      json_array_append_new(json_object_get(parent, "children"), symbol);
    } else {
      json_array_append_new(list, symbol);
    }
  }
  return list;
}

json_t *service_formatting(const ServiceDocument *d) { return service_edits(d, 0, UINT32_MAX); }

static void add_fold(const ServiceDocument *d, json_t *list, uint32_t begin, uint32_t end) {
  const ServicePosition a = service_text_position(&d->text, begin),
                        b = service_text_position(&d->text, end);
  if (b.line > a.line)
    json_array_append_new(
        list, json_pack("{s:i, s:i}", "startLine", (int)a.line, "endLine", (int)b.line));
}

json_t *service_folding(const ServiceDocument *d) {
  json_t *list = json_array();
  Mem mem = {0};
  VEC(uint32_t) open = {0};
  uint32_t process = NOTHING, last = 0;
  for (uint32_t k = 0; k < d->names.tokens.size; k++) {
    const NameToken *t = &d->names.tokens.items[k];
    if (d->language == SERVICE_TCHECKER && t->length == 7 && t->kind == NAME_WORD &&
        !memcmp(d->source.text + t->offset, "process", 7)) {
      if (process != NOTHING)
        add_fold(d, list, process, last);
      process = t->offset;
    }
    last = t->offset;
    if (t->sign == '{')
      vec_push(&mem, &open, t->offset);
    else if (t->sign == '}' && open.size)
      add_fold(d, list, vec_pop(&open), t->offset);
  }
  if (process != NOTHING)
    add_fold(d, list, process, last);
  mem_release(&mem);
  return list;
}

const char *const service_token_types[] = {"keyword",  "number",     "string",    "variable",
                                           "property", "function",   "parameter", "type",
                                           "class",    "enumMember", "event",     NULL};
enum { KEYWORD, NUMBER, STRING };
static const int token_types[DEFINE_KINDS] = {3, 3, 3, 10, 7, 4, 5, 6, 8, 8, 9};

json_t *service_tokens(const ServiceDocument *d) {
  const ServiceNames *names = d->language == SERVICE_QUERIES ? &d->model_names : &d->names;
  json_t *data = json_array();
  ServicePosition last = {0};
  for (uint32_t k = 0; k < d->names.tokens.size; k++) {
    const NameToken *t = &d->names.tokens.items[k];
    const Definition *found =
        t->definition < names->definitions.size ? &names->definitions.items[t->definition] : NULL;
    const int type = found                    ? token_types[found->kind]
                     : t->kind == NAME_WORD   ? KEYWORD
                     : t->kind == NAME_NUMBER ? NUMBER
                     : t->kind == NAME_STRING ? STRING
                                              : -1;
    const bool is_definition =
        found && d->language != SERVICE_QUERIES && found->offset == t->offset;
    const bool is_constant = found && found->kind == DEFINE_CONSTANT;
    if (type < 0)
      continue;
    const ServicePosition a = service_text_position(&d->text, t->offset),
                          b = service_text_position(&d->text, t->offset + t->length);
    if (a.line != b.line)
      continue;
    json_array_append_new(data, json_integer(a.line - last.line));
    json_array_append_new(
        data, json_integer(a.line == last.line ? a.character - last.character : a.character));
    json_array_append_new(data, json_integer(b.character - a.character));
    json_array_append_new(data, json_integer(type));
    json_array_append_new(data, json_integer((is_definition ? 1 : 0) | (is_constant ? 2 : 0)));
    last = a;
  }
  return json_pack("{s:o}", "data", data);
}

json_t *service_lenses(const ServiceDocument *d) {
  static const char *const titles[] = {"check", "run", "show page"};
  static const char *const commands[] = {"tarn.check", "tarn.run", "tarn.page"};
  json_t *list = json_array();
  int number = 0;
  for (const QueryNode *q = d->queries; q; q = q->next, number++) {
    const uint32_t at = service_names_offset(&d->names, (Place){q->source, q->begin});
    for (int k = 0; k < 3 && at != NOTHING; k++)
      json_array_append_new(list, json_pack("{s:o, s:{s:s, s:s, s:[s, i]}}", "range",
                                            service_json_range(d, at, at + 1), "command", "title",
                                            titles[k], "command", commands[k], "arguments",
                                            d->uri, number));
  }
  return list;
}
