#include "plan/service/service_names.h"

#include "language/tchecker/lexer.h"
#include "language/uppaal/names.h"
#include "language/uppaal/token.h"
#include "language/uppaal/uppaal.h"
#include "language/uppaal/xml_texts.h"

#include <string.h>

#define NOTHING UINT32_MAX

typedef struct Finder {
  ServiceNames *names;
  Mem *mem;
  const Source *source;
  XmlTexts texts;
  const TypeNode *type; // of the declarator before, and where its first declarator stands
  uint32_t type_end;
} Finder;

// Tokens.

static void add_token(Finder *f, NameToken token) { vec_push(f->mem, &f->names->tokens, token); }

static void add_uppaal_tokens(Finder *f, const Source *text, const uint32_t *map, TokenMode mode,
                              uint32_t number) {
  UTokens tokens = {0};
  token_scan(&tokens, f->mem, text, map ? 0 : report_text_begin(text), (uint32_t)text->size,
             mode);
  for (uint32_t i = 0; i + 1 < tokens.size; i++) {
    const UToken *t = &tokens.items[i];
    const uint32_t begin = map ? map[t->offset] : t->offset;
    const uint32_t end = map ? map[t->offset + t->length] : t->offset + t->length;
    add_token(f, (NameToken){.offset = begin,
                             .length = end - begin,
                             .kind = t->kind == UT_NAME ? (t->word ? NAME_WORD : NAME_NAME)
                                     : t->kind == UT_NUMBER || t->kind == UT_DOUBLE ? NAME_NUMBER
                                     : t->kind == UT_STRING                         ? NAME_STRING
                                                                                    : NAME_SIGN,
                             .sign = t->kind < 128 ? (char)t->kind : 0,
                             .definition = NOTHING,
                             .text = number});
  }
  vec_release(f->mem, &tokens);
}

static void add_xml_tokens(Finder *f) {
  xml_texts_find(&f->texts, f->mem, f->source);
  for (uint32_t i = 0; i < f->texts.size; i++) {
    const XmlText *element = &f->texts.items[i];
    const bool is_comment = !strcmp(element->element, "comment") ||
                            xml_texts_is(element, "label", "comments") ||
                            xml_texts_is(element, "label", "testcode");
    Text text = {.mem = f->mem};
    XmlMap map = {0};
    if (!is_comment && xml_texts_decode(element, f->mem, f->source, &text, &map)) {
      const uint32_t *copy =
          arena_copy(&f->names->arena, map.items, sizeof *map.items * map.size);
      const Source part = {.name = "",
                           .text = arena_text(&f->names->arena, text_chars(&text), text.size),
                           .size = text.size};
      vec_push(f->mem, &f->names->parts, element->begin);
      vec_push(f->mem, &f->names->maps, copy);
      add_uppaal_tokens(f, &part, copy,
                        strcmp(element->element, "formula") ? TOKEN_MODEL : TOKEN_QUERY, i);
    }
    text_release(&text);
    vec_release(f->mem, &map);
  }
}

static void add_tck_tokens(Finder *f) {
  Lexer lexer;
  lexer_init(&lexer, f->source, report_text_begin(f->source), (uint32_t)f->source->size, true);
  uint32_t line = 0;
  for (Token t; (t = lexer_next(&lexer)).kind != TOKEN_END;) {
    if (t.kind == TOKEN_NEWLINE) {
      line++;
      continue;
    }
    add_token(f, (NameToken){.offset = t.offset,
                             .length = t.length,
                             .kind = t.kind == TOKEN_NAME     ? NAME_NAME
                                     : t.kind == TOKEN_NUMBER ? NAME_NUMBER
                                                              : NAME_SIGN,
                             .sign = t.length == 1 ? f->source->text[t.offset] : (char)0,
                             .definition = NOTHING,
                             .text = line});
  }
}

uint32_t service_names_offset(const ServiceNames *names, Place place) {
  if (!place.source)
    return NOTHING;
  if (!place.source->file)
    return place.source->part ? NOTHING : place.offset;
  if (!place.source->size)
    return place.source->begin;
  uint32_t low = 0, high = names->parts.size;
  while (high > low) {
    const uint32_t middle = (low + high) / 2;
    if (names->parts.items[middle] < place.source->begin)
      low = middle + 1;
    else
      high = middle;
  }
  return low < names->parts.size && names->parts.items[low] == place.source->begin
             ? names->maps.items[low][place.offset]
             : place.source->begin;
}

uint32_t service_names_at(const ServiceNames *names, uint32_t offset) {
  uint32_t low = 0, high = names->tokens.size;
  while (high > low) {
    const uint32_t middle = (low + high) / 2;
    if (names->tokens.items[middle].offset + names->tokens.items[middle].length < offset)
      low = middle + 1;
    else
      high = middle;
  }
  // At the border of two tokens the name is meant.
  if (low + 1 < names->tokens.size && names->tokens.items[low + 1].offset == offset &&
      names->tokens.items[low].kind == NAME_SIGN)
    low++;
  return low < names->tokens.size && names->tokens.items[low].offset <= offset ? low : NOTHING;
}

// Definitions.

static Definition *define(Finder *f, DefinitionKind kind, const char *name, Place place) {
  const uint32_t offset = name && *name ? service_names_offset(f->names, place) : NOTHING;
  if (offset == NOTHING)
    return NULL;
  const uint32_t length = (uint32_t)strlen(name);
  const Definition definition = {.name = name,
                                 .kind = kind,
                                 .offset = offset,
                                 .length = length,
                                 .begin = offset,
                                 .end = offset + length,
                                 .until = (uint32_t)f->source->size,
                                 .next = NOTHING};
  vec_push(f->mem, &f->names->definitions, definition);
  return &vec_last(&f->names->definitions);
}

// The text of the source from `begin` on up to what ends a declarator.
static void add_declarator(Text *text, const Source *source, uint32_t begin) {
  int depth = 0;
  for (uint32_t i = begin; i < source->size && i < begin + 200; i++) {
    const char c = source->text[i];
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if (depth < 0 || c == '\n' || (!depth && (c == ',' || c == ';')))
      return;
    text_add_char(text, c);
  }
}

static const char *keep(Finder *f, Text *text) {
  while (text->size && strchr(" \t\r\n", text->chars[text->size - 1]))
    text->size--;
  return arena_keep(&f->names->arena, text);
}

static const char *detail_of(Finder *f, const VarNode *var, const char *before) {
  Text text = {.mem = f->mem};
  const TypeNode *type = var->type;
  text_add(&text, before);
  if (type && type->place.source == var->place.source && type->place.offset < var->place.offset) {
    if (type != f->type) {
      f->type = type;
      f->type_end = var->place.offset;
    }
    text_add_bytes(&text, type->place.source->text + type->place.offset,
                   f->type_end - type->place.offset);
  }
  if (var->place.source)
    add_declarator(&text, var->place.source, var->place.offset);
  return keep(f, &text);
}

static DefinitionKind kind_of(const VarNode *var, DefinitionKind other) {
  const TypeNode *type = var->type;
  return !type                          ? other
         : type->kind == TYPENODE_CLOCK ? DEFINE_CLOCK
         : type->kind == TYPENODE_CHAN  ? DEFINE_CHANNEL
         : type->is_const               ? DEFINE_CONSTANT
                                        : other;
}

typedef struct Within {
  uint32_t until;
  const char *container;
} Within;

// Scopes.

// The token from `k` on, in its text, that is one of these signs outside of brackets, or closes a
// bracket that was open before; where the text ends, if there is none.
static uint32_t find_sign(const ServiceNames *names, uint32_t k, const char *signs) {
  const uint32_t first = k;
  uint32_t depth = 0;
  for (; k < names->tokens.size && names->tokens.items[k].text == names->tokens.items[first].text;
       k++) {
    const char sign = names->tokens.items[k].sign;
    if (!sign)
      continue;
    if (!depth && strchr(signs, sign))
      return k;
    if (strchr("([{", sign))
      depth++;
    else if (strchr(")]}", sign) && !depth--)
      return k;
  }
  return k;
}

// Where the token before this one ends.
static uint32_t end_before(const ServiceNames *names, uint32_t k) {
  return k ? names->tokens.items[k - 1].offset + names->tokens.items[k - 1].length : 0;
}

// Where the braces end that open behind the offset, or that are around it.
static uint32_t braces_end(const ServiceNames *names, uint32_t offset) {
  uint32_t k = service_names_at(names, offset);
  if (k >= names->tokens.size)
    return offset;
  k = find_sign(names, k, "{}");
  if (k < names->tokens.size && names->tokens.items[k].sign == '{')
    k = find_sign(names, k + 1, "");
  return end_before(names, k < names->tokens.size ? k + 1 : k);
}

// Where the block ends that the offset is in.
static uint32_t block_end(const ServiceNames *names, uint32_t offset) {
  const uint32_t k = service_names_at(names, offset);
  return k < names->tokens.size ? end_before(names, find_sign(names, k, "")) : offset;
}

// A name means its own variable behind the declarator: what initialises it does not see it.
static uint32_t declarator_end(const ServiceNames *names, uint32_t offset) {
  const uint32_t k = service_names_at(names, offset);
  return k < names->tokens.size ? end_before(names, find_sign(names, k, ",;")) : offset;
}

static bool is_word(const Finder *f, uint32_t k, const char *word) {
  const NameToken *t = k < f->names->tokens.size ? &f->names->tokens.items[k] : NULL;
  return t && t->kind == NAME_WORD && t->length == strlen(word) &&
         !memcmp(f->source->text + t->offset, word, t->length);
}

// The token behind the statement that begins at `k`.
static uint32_t statement_end(const Finder *f, uint32_t k) {
  const ServiceNames *names = f->names;
  while (is_word(f, k, "for") || is_word(f, k, "while") || is_word(f, k, "if")) {
    const bool is_if = is_word(f, k, "if");
    k = k + 2 < names->tokens.size ? find_sign(names, k + 2, "") + 1 : names->tokens.size;
    if (is_if) {
      k = statement_end(f, k);
      if (!is_word(f, k, "else"))
        return k;
      k++;
    }
  }
  if (k >= names->tokens.size)
    return names->tokens.size;
  k = names->tokens.items[k].sign == '{' ? find_sign(names, k + 1, "") : find_sign(names, k, ";");
  return k < names->tokens.size ? k + 1 : k;
}

// What `(i : T)` binds, whose bracket closes at `k`: up to the end of the statement behind it, or
// of the expression.
static void bind(Finder *f, Definition *d, uint32_t k, bool is_statement) {
  const ServiceNames *names = f->names;
  if (k >= names->tokens.size)
    return;
  const uint32_t end = k + 1 >= names->tokens.size ? names->tokens.size
                       : is_statement              ? statement_end(f, k + 1)
                                                   : find_sign(names, k + 1, ",;");
  d->from = names->tokens.items[k].offset;
  d->until = end_before(names, end);
}

static Definition *define_variable(Finder *f, const VarNode *var, DefinitionKind kind,
                                   const Within *within, const char *before) {
  const char *detail = var->name ? detail_of(f, var, before) : NULL;
  Definition *d = define(f, kind, var->name, var->place);
  if (!d)
    return NULL;
  d->detail = detail;
  d->container = within->container;
  d->from = declarator_end(f->names, d->offset);
  d->until = within->until;
  d->made_from = var->type && var->type->kind == TYPENODE_NAME ? var->type->name : NULL;
  return d;
}

static void define_fields(Finder *f, const TypeNode *type, const char *container) {
  for (const VarNode *v = type && type->kind == TYPENODE_STRUCT ? type->fields : NULL; v;
       v = v->next) {
    const Within nowhere = {.container = container}; // a name after a dot only
    define_variable(f, v, DEFINE_FIELD, &nowhere, "");
    define_fields(f, v->type, container);
  }
}

static void define_list(Finder *f, const DeclNode *decl, const Within *within);

// A name of a block means its variable up to the end of the block, that of a loop in its body.
static void define_statement(Finder *f, const StmtNode *s, const Within *within) {
  for (; s; s = s->next) {
    const uint32_t at = s->decls && s->decls->var
                            ? service_names_offset(f->names, s->decls->var->place)
                            : NOTHING;
    const Within block = {.until = at == NOTHING ? within->until : block_end(f->names, at),
                          .container = within->container};
    define_list(f, s->decls, &block);
    for (const VarNode *v = s->kind == STMTNODE_ITERATE ? s->var : NULL; v; v = v->next) {
      Definition *d = define_variable(f, v, DEFINE_VARIABLE, within, "");
      const uint32_t k = d ? service_names_at(f->names, d->offset) : NOTHING;
      if (k < f->names->tokens.size)
        bind(f, d, find_sign(f->names, k, ""), true);
    }
    define_statement(f, s->body, within);
    define_statement(f, s->other, within);
  }
}

static void define_function(Finder *f, const FunctionNode *function, const Within *within) {
  Text text = {.mem = f->mem};
  const uint32_t begin = service_names_offset(f->names, function->place);
  if (!function->name || begin == NOTHING)
    return;
  if (function->result && function->result->place.source == function->place.source &&
      function->result->place.offset < function->place.offset)
    text_add_bytes(&text, function->place.source->text + function->result->place.offset,
                   function->place.offset - function->result->place.offset);
  const char *chars = function->place.source->text + function->place.offset;
  text_add_bytes(&text, chars, strcspn(chars, ")\n{"));
  text_add_char(&text, ')');
  const char *detail = keep(f, &text);
  Definition *d = define(f, DEFINE_FUNCTION, function->name, function->place);
  const uint32_t end = braces_end(f->names, begin);
  d->detail = detail;
  d->container = within->container;
  d->from = begin;
  d->until = within->until;
  d->end = end;
  const Within inside = {.until = end, .container = function->name};
  for (const VarNode *v = function->params; v; v = v->next)
    define_variable(f, v, DEFINE_PARAMETER, &inside, "");
  define_statement(f, function->body, &inside);
}

static void define_list(Finder *f, const DeclNode *decl, const Within *within) {
  for (; decl; decl = decl->next) {
    if (decl->kind == DECL_VARIABLE && decl->var) {
      define_variable(f, decl->var, kind_of(decl->var, DEFINE_VARIABLE), within, "");
      define_fields(f, decl->var->type, decl->var->name);
    } else if (decl->kind == DECL_TYPEDEF && decl->var) {
      define_variable(f, decl->var, DEFINE_TYPE, within, "typedef ");
      define_fields(f, decl->var->type, decl->var->name);
    } else if (decl->kind == DECL_FUNCTION && decl->function) {
      define_function(f, decl->function, within);
    } else if (decl->kind == DECL_INSTANCE) {
      Text text = {.mem = f->mem};
      if (decl->place.source)
        add_declarator(&text, decl->place.source, decl->place.offset);
      const char *detail = keep(f, &text);
      Definition *d = define(f, DEFINE_PROCESS, decl->name, decl->place);
      if (d) {
        d->detail = detail;
        d->made_from = decl->template_name;
      }
    }
  }
}

// Where an XML template ends: before the next one, or before the system.
static uint32_t template_end(const Finder *f, const TemplateNode *t) {
  if (t->next) {
    const uint32_t next = service_names_offset(f->names, t->next->place);
    return next == NOTHING ? (uint32_t)f->source->size : next;
  }
  for (uint32_t i = 0; i < f->texts.size; i++)
    if (!strcmp(f->texts.items[i].element, "system") ||
        !strcmp(f->texts.items[i].element, "instantiation"))
      return f->texts.items[i].tag;
  return (uint32_t)f->source->size;
}

// What `select` binds in XML: in all labels of the edge, whatever their order.
static void bind_labels(const Finder *f, Definition *d) {
  const XmlText *own = f->texts.items, *end = own + f->texts.size;
  while (own < end && own->end < d->offset)
    own++;
  for (const XmlText *text = f->texts.items; own < end && text < end; text++) {
    if (text->parent != own->parent)
      continue;
    d->from = text->begin < d->from ? text->begin : d->from;
    d->until = text->end; // they are in the order of the file
  }
}

static void define_template(Finder *f, const TemplateNode *t, bool is_xml) {
  const uint32_t begin = service_names_offset(f->names, t->place);
  if (begin == NOTHING || !t->name)
    return;
  Text text = {.mem = f->mem};
  text_addf(&text, "process %s(%.*s)", t->name, (int)t->params_label.size,
            t->params_label.size ? t->params_label.text : "");
  const char *detail = keep(f, &text);
  Definition *d = define(f, DEFINE_TEMPLATE, t->name, t->place);
  const uint32_t end = is_xml ? template_end(f, t) : braces_end(f->names, begin);
  d->detail = detail;
  d->end = end;
  const Within inside = {.until = end, .container = t->name};
  for (const VarNode *v = t->params; v; v = v->next)
    define_variable(f, v, DEFINE_PARAMETER, &inside, "");
  define_list(f, t->decls, &inside);
  uint32_t first = end;
  for (const LocationNode *l = t->locations; l; l = l->next) {
    const uint32_t at = service_names_offset(f->names, l->place);
    first = at < first ? at : first;
  }
  for (const LocationNode *l = t->locations; l; l = l->next) {
    if (!l->name_label.size && is_xml)
      continue; // its name is made of its id
    Definition *location = define(f, DEFINE_LOCATION, l->name, l->place);
    if (!location)
      continue;
    location->container = t->name;
    location->from = first;
    location->until = end;
    location->detail = l->is_committed ? "committed location"
                       : l->is_urgent  ? "urgent location"
                                       : "location";
  }
  for (const EdgeNode *e = t->edges; e; e = e->next)
    for (const VarNode *v = e->select; v; v = v->next) {
      const Within edge = {.until = end, .container = t->name};
      Definition *bound = define_variable(f, v, DEFINE_PARAMETER, &edge, "");
      if (bound && is_xml)
        bind_labels(f, bound);
      else if (bound)
        bound->until = block_end(f->names, bound->offset);
    }
}

// forall (i : T), exists, sum and for bind a name.
static void define_bound(Finder *f) {
  ServiceNames *names = f->names;
  for (uint32_t k = 0; k + 3 < names->tokens.size; k++) {
    const NameToken *t = &names->tokens.items[k];
    if (t->kind != NAME_WORD || t[1].sign != '(' || t[2].kind != NAME_NAME || t[3].sign != ':')
      continue;
    const char *name = arena_text(&names->arena, f->source->text + t[2].offset, t[2].length);
    const uint32_t from = t[2].offset;
    bool is_known = false;
    for (uint32_t i = 0; i < names->definitions.size; i++)
      is_known |= names->definitions.items[i].offset == from;
    Definition *d = is_known ? NULL : define(f, DEFINE_PARAMETER, name, (Place){f->source, from});
    if (d)
      bind(f, d, find_sign(names, k + 3, ""), is_word(f, k, "for"));
  }
}

static void define_document(Finder *f, const Document *document) {
  const Within all = {.until = (uint32_t)f->source->size};
  define_list(f, document->decls, &all);
  for (const TemplateNode *t = document->templates; t; t = t->next)
    define_template(f, t, document->is_xml);
  define_list(f, document->system_decls, &all);
  define_bound(f);
}

static void define_names(Finder *f, const Name *names, uint32_t count, DefinitionKind kind) {
  for (uint32_t i = 0; i < count; i++) {
    Definition *d = define(f, kind, names[i].name, names[i].place);
    if (!d)
      continue;
    const char *line = f->source->text + d->offset;
    while (line > f->source->text && line[-1] != '\n')
      line--;
    d->detail = arena_text(&f->names->arena, line, strcspn(line, "\r\n#{"));
  }
}

// Places of TChecker's declarations are those of their names.
static void define_net(Finder *f, const Net *net) {
  define_names(f, net->events.items, net->events.size, DEFINE_CHANNEL);
  define_names(f, net->clocks.items, net->clocks.size, DEFINE_CLOCK);
  define_names(f, net->variables.items, net->variables.size, DEFINE_VARIABLE);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    Definition *d =
        define(f, DEFINE_PROCESS, net->processes.items[p].name, net->processes.items[p].place);
    if (d)
      d->detail = "process";
  }
  for (LocationId l = 0; l < net->locations.size; l++) {
    const Location *location = &net->locations.items[l];
    Definition *d = define(f, DEFINE_LOCATION, location->name, location->place);
    if (d) {
      d->container = net->processes.items[location->process].name;
      d->detail = "location";
    }
  }
}

// Uses.

static void make_buckets(ServiceNames *names, Mem *mem) {
  uint32_t size = 64;
  while (size < names->definitions.size)
    size *= 2;
  vec_reserve(mem, &names->buckets, size);
  names->buckets.size = size;
  for (uint32_t i = 0; i < size; i++)
    names->buckets.items[i] = NOTHING;
  for (uint32_t i = names->definitions.size; i-- > 0;) {
    Definition *d = &names->definitions.items[i];
    uint32_t *bucket = &names->buckets.items[names_hash(d->name, d->length) & (size - 1)];
    d->next = *bucket;
    *bucket = i;
  }
}

static bool is_named(const Definition *d, const char *name, size_t length) {
  return d->length == length && !memcmp(d->name, name, length);
}

uint32_t service_names_resolve(const ServiceNames *names, const char *name, size_t length,
                               uint32_t offset, const char *container) {
  uint32_t best = NOTHING;
  if (!names->buckets.size)
    return NOTHING;
  for (uint32_t i = names->buckets.items[names_hash(name, length) & (names->buckets.size - 1)];
       i != NOTHING; i = names->definitions.items[i].next) {
    const Definition *d = &names->definitions.items[i];
    if (!is_named(d, name, length))
      continue;
    if (container) { // a member, or the field of some struct
      const bool is_member = d->container && !strcmp(d->container, container);
      if (is_member || (d->kind == DEFINE_FIELD && best == NOTHING))
        best = i;
      if (is_member)
        return best;
      continue;
    }
    const bool is_seen = offset == NOTHING ? !d->container && d->kind != DEFINE_PARAMETER
                                           : offset >= d->from && offset <= d->until;
    if (d->kind == DEFINE_FIELD || !is_seen)
      continue;
    const Definition *b = best == NOTHING ? NULL : &names->definitions.items[best];
    const uint32_t size = d->until - d->from, old = b ? b->until - b->from : 0;
    if (!b || size < old || (size == old && d->offset <= offset && b->offset < d->offset))
      best = i;
  }
  return best;
}

const char *service_names_container(const ServiceNames *names, uint32_t k) {
  const NameToken *tokens = names->tokens.items;
  if (k < 2 || k > names->tokens.size || tokens[k - 1].sign != '.')
    return NULL;
  uint32_t before = k - 2, depth = 0;
  for (; before > 0 && (depth || tokens[before].sign == ')' || tokens[before].sign == ']');
       before--) {
    depth += tokens[before].sign == ')' || tokens[before].sign == ']';
    depth -= tokens[before].sign == '(' || tokens[before].sign == '[';
  }
  const uint32_t d = tokens[before].definition;
  if (d == NOTHING || d >= names->definitions.size)
    return "";
  const Definition *definition = &names->definitions.items[d];
  return definition->made_from ? definition->made_from : definition->name;
}

static void resolve_uppaal(Finder *f) {
  ServiceNames *names = f->names;
  for (uint32_t i = 0; i < names->definitions.size; i++) { // where it is declared
    const Definition *d = &names->definitions.items[i];
    const uint32_t k = service_names_at(names, d->offset);
    if (k < names->tokens.size && names->tokens.items[k].offset == d->offset &&
        names->tokens.items[k].length == d->length)
      names->tokens.items[k].definition = i;
  }
  for (uint32_t k = 0; k < names->tokens.size; k++) {
    NameToken *t = &names->tokens.items[k];
    const char *container = service_names_container(names, k);
    if (t->definition == NOTHING) {
      if (t->kind != NAME_NAME && !(t->kind == NAME_WORD && container))
        continue;
      t->definition = service_names_resolve(names, f->source->text + t->offset, t->length,
                                            t->offset, container);
    }
    t->kind = NAME_NAME;
  }
}

// Clocks and variables share their names, all else has its own in TChecker's format.
static DefinitionKind sort_of(DefinitionKind kind) {
  return kind == DEFINE_CLOCK ? DEFINE_VARIABLE : kind;
}

uint32_t service_names_sort(const ServiceNames *names, const char *name, size_t length,
                            DefinitionKind kind, const char *container) {
  if (!names->buckets.size)
    return NOTHING;
  uint32_t i = names->buckets.items[names_hash(name, length) & (names->buckets.size - 1)];
  for (; i != NOTHING; i = names->definitions.items[i].next) {
    const Definition *d = &names->definitions.items[i];
    const bool is_there = kind != DEFINE_LOCATION ||
                          (container && d->container && !strcmp(d->container, container));
    if (is_named(d, name, length) && sort_of(d->kind) == sort_of(kind) && is_there)
      return i;
  }
  return NOTHING;
}

// A declaration of TChecker's format, as it is read.
typedef struct TckLine {
  const char *word; // that begins it
  uint32_t word_length;
  uint32_t colons;       // outside of braces
  uint32_t inner_colons; // in the braces: after a key, and after its value, in turns
  uint32_t depth;        // of braces
  bool has_names;        // the value of the key has clocks and variables
  const char *process;   // the one that is named first
} TckLine;

static bool is_text(const char *chars, size_t length, const char *text) {
  return length == strlen(text) && !memcmp(chars, text, length);
}

static bool is_line(const TckLine *line, const char *word) {
  return is_text(line->word, line->word_length, word);
}

// What a name is here; DEFINE_KINDS: it is not declared.
static DefinitionKind tck_kind(const TckLine *line, bool is_event) {
  if (line->depth)
    return line->inner_colons % 2 && line->has_names ? DEFINE_VARIABLE : DEFINE_KINDS;
  if (is_line(line, "event") && line->colons == 1)
    return DEFINE_CHANNEL;
  if (is_line(line, "clock") || is_line(line, "int"))
    return line->colons == (*line->word == 'c' ? 2 : 5) ? DEFINE_VARIABLE : DEFINE_KINDS;
  if (is_line(line, "sync"))
    return is_event ? DEFINE_CHANNEL : DEFINE_PROCESS;
  const bool is_edge = is_line(line, "edge"), is_location = is_line(line, "location");
  if (!is_edge && !is_location && !is_line(line, "process"))
    return DEFINE_KINDS;
  return line->colons == 1                               ? DEFINE_PROCESS
         : line->colons == 2 && (is_edge || is_location) ? DEFINE_LOCATION
         : line->colons == 3 && is_edge                  ? DEFINE_LOCATION
         : line->colons == 4 && is_edge                  ? DEFINE_CHANNEL
                                                         : DEFINE_KINDS;
}

// In TChecker's format the place in the declaration says what a name is.
static void resolve_tck(Finder *f) {
  ServiceNames *names = f->names;
  TckLine line = {0};
  for (uint32_t k = 0; k < names->tokens.size; k++) {
    NameToken *t = &names->tokens.items[k];
    const char *chars = f->source->text + t->offset;
    if (!line.depth && (!k || t[-1].text != t->text)) {
      line = (TckLine){.word = chars, .word_length = t->length};
      t->kind = NAME_WORD;
      continue;
    }
    line.colons += t->sign == ':' && !line.depth;
    line.inner_colons += t->sign == ':' && line.depth;
    line.depth += t->sign == '{';
    line.depth -= t->sign == '}' && line.depth;
    if (t->kind != NAME_NAME)
      continue;
    if (line.depth && line.inner_colons % 2 == 0) { // a key
      line.has_names = is_text(chars, t->length, "provided") || is_text(chars, t->length, "do") ||
                       is_text(chars, t->length, "invariant");
      t->kind = NAME_WORD;
      continue;
    }
    const DefinitionKind kind = tck_kind(&line, t[-1].sign == '@');
    if (kind == DEFINE_KINDS)
      continue;
    t->definition = service_names_sort(names, chars, t->length, kind, line.process);
    if (kind == DEFINE_PROCESS && t->definition != NOTHING)
      line.process = names->definitions.items[t->definition].name;
  }
}

void service_names_find(ServiceNames *names, Mem *mem, const Source *source, const Net *net,
                        bool is_uppaal) {
  *names = (ServiceNames){.arena = {.mem = mem}};
  Finder f = {.names = names, .mem = mem, .source = source};
  const Document *document = uppaal_document(net);
  if (!is_uppaal)
    add_tck_tokens(&f);
  else if (document && document->is_xml)
    add_xml_tokens(&f);
  else
    add_uppaal_tokens(&f, source, NULL, TOKEN_QUERY, 0);
  if (document)
    define_document(&f, document);
  else if (!is_uppaal)
    define_net(&f, net);
  make_buckets(names, mem);
  if (is_uppaal)
    resolve_uppaal(&f);
  else
    resolve_tck(&f);
  vec_release(mem, &f.texts);
}

void service_names_queries(ServiceNames *names, Mem *mem, const Source *source,
                           const ServiceNames *model) {
  *names = (ServiceNames){.arena = {.mem = mem}};
  Finder f = {.names = names, .mem = mem, .source = source};
  add_uppaal_tokens(&f, source, NULL, TOKEN_QUERY, 0);
  for (uint32_t k = 0; model && k < names->tokens.size; k++) {
    NameToken *t = &names->tokens.items[k];
    if (t->kind != NAME_NAME)
      continue;
    const bool is_member = k > 1 && names->tokens.items[k - 1].sign == '.' &&
                           names->tokens.items[k - 2].definition < model->definitions.size;
    const Definition *base =
        is_member ? &model->definitions.items[names->tokens.items[k - 2].definition] : NULL;
    t->definition =
        service_names_resolve(model, source->text + t->offset, t->length, NOTHING,
                              base ? (base->made_from ? base->made_from : base->name) : NULL);
  }
}
