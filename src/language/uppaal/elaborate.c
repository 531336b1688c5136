// Scopes and messages.
#include "language/uppaal/elaborate.h"

#include "language/uppaal/damage.h"

#include <string.h>

// A query is short: what is wrong with a name is said once, however often the query has it.
__attribute__((format(printf, 2, 0))) static bool is_said(const Elaborator *e, const char *format,
                                                          va_list args) {
  Text text = {.mem = e->mem};
  text_addv(&text, format, args);
  const bool is_there = e->is_query && strstr(text_chars(&e->report->error), text_chars(&text));
  text_release(&text);
  return is_there;
}

// A consequence of a mistake of syntax.
__attribute__((format(printf, 2, 0))) static bool is_explained(const Elaborator *e,
                                                               const char *format, va_list args) {
  if (e->is_query || !e->document->damage.is_any)
    return false;
  Text text = {.mem = e->mem};
  text_addv(&text, format, args);
  const bool is_there = damage_explains(&e->document->damage, text_chars(&text));
  text_release(&text);
  return is_there;
}

static bool is_in(const Place *places, uint32_t count, Place place) {
  for (uint32_t i = 0; i < count; i++)
    if (places[i].source == place.source && places[i].offset == place.offset)
      return true;
  return false;
}

__attribute__((format(printf, 3, 0))) static void fail(Elaborator *e, Place place,
                                                       const char *format, va_list args) {
  va_list first, second;
  e->failures++;
  if (is_in(e->reported.items, e->reported.size, place))
    return;
  if (e->reported.size < 1000)
    vec_push(e->mem, &e->reported, place);
  va_copy(first, args);
  va_copy(second, args);
  const bool is_new = !is_said(e, format, first);
  if (!is_explained(e, format, second) && is_new)
    report_errors(e->report, place, format, args);
  va_end(first);
  va_end(second);
}

bool elab_fail(Elaborator *e, Place place, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fail(e, place, format, args);
  va_end(args);
  return false;
}

Value elab_bad(Elaborator *e, Place place, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fail(e, place, format, args);
  va_end(args);
  return (Value){.kind = VALUE_BAD};
}

void elab_warn(Elaborator *e, Place place, const char *text) {
  if (e->warned.size >= REPORT_MAX_ERRORS || is_in(e->warned.items, e->warned.size, place))
    return;
  vec_push(e->mem, &e->warned, place);
  report_warning(e->report, place, "%s", text);
}

void elab_refuse(Elaborator *e, Place place, const char *construct) {
  elab_fail(e, place, "%s are not supported: tarn checks timed automata exactly", construct);
}

void elab_fail_twice(Elaborator *e, Place place, Place first, const char *format, ...) {
  Text text = {.mem = e->mem};
  va_list args;
  va_start(args, format);
  text_addv(&text, format, args);
  va_end(args);
  text_add(&text, " twice");
  // Finding the line takes time, so it is done only if the message will be read.
  if (e->report->error_count < REPORT_MAX_ERRORS || e->report->list) {
    text_add(&text, "; the first time at ");
    report_place(&text, first);
  }
  elab_fail(e, place, "%s", text_chars(&text));
  text_release(&text);
}

Scope *scope_new(Arena *arena, Scope *parent, uint32_t buckets) {
  Scope *scope = ARENA_NEW(arena, Scope);
  scope->parent = parent;
  scope->mask = buckets - 1;
  scope->buckets = ARENA_ARRAY(arena, Symbol *, buckets);
  return scope;
}

// Names are unique: the pointer is the name.
static uint32_t bucket(const Scope *scope, const char *name) {
  const uintptr_t bits = (uintptr_t)name;
  return (uint32_t)((bits >> 4) ^ (bits >> 12)) & scope->mask;
}

Symbol *scope_find_here(const Scope *scope, const char *name) {
  for (Symbol *s = scope->buckets[bucket(scope, name)]; s; s = s->next)
    if (s->name == name)
      return s;
  return NULL;
}

Symbol *scope_find(const Scope *scope, const char *name) {
  uint32_t limit = UINT32_MAX;
  for (; scope; scope = scope->parent) {
    Symbol *symbol = scope_find_here(scope, name);
    if (symbol && symbol->order <= limit)
      return symbol;
    if (scope->limit && scope->limit < limit)
      limit = scope->limit;
  }
  return NULL;
}

// Four symbols in a bucket on average, at most.
static void grow(Arena *arena, Scope *scope) {
  Symbol **old = scope->buckets;
  const uint32_t count = scope->mask + 1;
  scope->mask = 4 * count - 1;
  scope->buckets = ARENA_ARRAY(arena, Symbol *, 4 * count);
  for (uint32_t i = 0; i < count; i++)
    for (Symbol *s = old[i], *next; s; s = next) {
      Symbol **head = &scope->buckets[bucket(scope, s->name)];
      next = s->next;
      s->next = *head;
      *head = s;
    }
}

Symbol *scope_add(Elaborator *e, Scope *scope, const char *name, Place place, SymbolKind kind) {
  const Symbol *here = name ? scope_find_here(scope, name) : NULL, *other = here;
  if (name && !here && scope == e->system) // templates do not see it, but it is global, too
    other = scope_find_here(e->globals, name);
  if (other)
    elab_fail_twice(e, place, other->place, "`%s` is declared", name);
  Symbol *symbol = ARENA_NEW(e->arena, Symbol);
  symbol->kind = kind;
  symbol->name = name;
  symbol->place = place;
  symbol->order = ++e->order;
  if (name && !here) {
    if (++scope->count > 4 * (scope->mask + 1))
      grow(e->arena, scope);
    Symbol **head = &scope->buckets[bucket(scope, name)];
    symbol->next = *head;
    *head = symbol;
  }
  return symbol;
}
