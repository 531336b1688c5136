// Declarations outside functions: they become variables, clocks and channels of the net.
#include "language/uppaal/elab_real.h"
#include "model/expr/real.h"

#include <string.h>

// The name with that of the process before it.
static const char *full_name(Elaborator *e, Text *text, const char *name) {
  text_clear(text);
  text_add(text, e->prefix ? e->prefix : "");
  text_add(text, name);
  return text_chars(text);
}

static const Expr *add_clocks(Elaborator *e, const VarNode *var, const Type *type,
                              const char *name, const int32_t *given) {
  int32_t *initial = given ? ARENA_ARRAY(e->arena, int32_t, type->slots) : NULL;
  for (uint32_t k = 0; initial && k < type->slots; k++) {
    initial[k] = given[k];
    if (initial[k] < 0)
      elab_obstacle(e, var->place, "for symbolic queries a clock cannot start below 0");
  }
  uint32_t base = e->net->clock_count + 1;
  if (type->slots) {
    base = net_add_clocks(e->making, name, type->slots, var->place);
    vec_last(&e->making->clocks).type = type;
    vec_last(&e->making->clocks).initial = initial;
  }
  return expr_storage(e->arena, var->place, EXPR_CLOCK, arena_text(e->arena, name, strlen(name)),
                      type, base);
}

// The values that clocks of a statistical model start with, behind those there are.
static void add_starts(Elaborator *e, Scope *scope, const VarNode *var, const Type *type) {
  int32_t *values = ARENA_ARRAY(e->arena, int32_t, 2 * (size_t)type->slots);
  const Type *real = elab_real_type(e, type);
  const int32_t *given = var->init ? elab_initial(e, scope, real, var->init) : values;
  for (uint32_t k = 0; given && k < type->slots; k++)
    vec_push(e->mem, &e->starts, real_load(given + 2 * k));
}

static void declare_clocks(Elaborator *e, Scope *scope, const VarNode *var, const Type *type,
                           const char *name) {
  if (e->is_full) {
    add_starts(e, scope, var, type);
    scope_add(e, scope, var->name, var->place, SYMBOL_STORAGE)->expr =
        add_clocks(e, var, type, name, NULL);
    return;
  }
  const int32_t *given = var->init ? elab_initial(e, scope, type, var->init) : NULL;
  Symbol *symbol = scope_add(e, scope, var->name, var->place, SYMBOL_STORAGE);
  symbol->expr = add_clocks(e, var, type, name, given);
}

static void add_channels(Elaborator *e, Text *text, const TypeInfo *info, const Type *type,
                         Place place) {
  if (type->kind != TYPE_ARRAY) {
    const uint32_t c = net_add_channel(e->making, text_chars(text), place);
    e->making->channels.items[c].urgent = info->is_urgent;
    e->making->channels.items[c].broadcast = info->is_broadcast;
    e->making->channels.items[c].priority = e->net->priority.tau;
    return;
  }
  const size_t size = text->size;
  for (uint32_t k = 0; k < type->count; k++) {
    text_addf(text, "[%d]", (int)(type->first + (int32_t)k));
    add_channels(e, text, info, type->element, place);
    text->size = size;
    text->chars[size] = '\0';
  }
}

static void declare_channels(Elaborator *e, Scope *scope, const VarNode *var,
                             const TypeInfo *info, Text *text) {
  Symbol *symbol = scope_add(e, scope, var->name, var->place, SYMBOL_CHANNEL);
  symbol->info = *info;
  symbol->base = e->net->channels.size;
  if (info->type->slots > 100000) {
    elab_fail(e, var->place, "more than 100000 channels are not supported");
    symbol->kind = SYMBOL_REFUSED; // no channel has its number
    symbol->info.refused = "more than 100000 channels";
    return;
  }
  add_channels(e, text, info, info->type, var->place);
}

static const Expr *add_data(Elaborator *e, const VarNode *var, const Type *type, bool is_meta,
                            const char *name, const int32_t *initial) {
  const uint32_t base = e->net->location_slot;
  if (type->slots) {
    const uint32_t v = net_add_variable(e->making, name, type, initial, var->place);
    e->making->variables.items[v].is_meta = is_meta;
  }
  return expr_storage(e->arena, var->place, EXPR_VAR, arena_text(e->arena, name, strlen(name)),
                      type, base);
}

// Structs with clocks, which have two parts.
static void declare_record(Elaborator *e, Scope *scope, const VarNode *var, const TypeInfo *info,
                           const char *name) {
  const int32_t *initial = elab_initial(e, scope, info->type, var->init);
  Symbol *symbol = scope_add(e, scope, var->name, var->place, SYMBOL_STORAGE);
  symbol->info = *info;
  if (info->is_const || info->is_meta)
    elab_fail(e, var->place, "`%s` has clocks: it cannot be `%s`", var->name,
              info->is_const ? "const" : "meta");
  if (!initial)
    return;
  const Type *rest = elab_part(e, info->type, false), *clocks = elab_part(e, info->type, true);
  int32_t *values = ARENA_ARRAY(e->arena, int32_t, rest ? rest->slots : 0);
  int32_t *times = ARENA_ARRAY(e->arena, int32_t, clocks->slots);
  elab_part_values(info->type, initial, values, times);
  if (rest)
    symbol->expr = add_data(e, var, rest, false, name, values);
  for (uint32_t k = 0; e->is_full && k < clocks->slots; k++)
    vec_push(e->mem, &e->starts, times[k]);
  symbol->clocks = add_clocks(e, var, clocks, name, var->init && !e->is_full ? times : NULL);
}

static void declare_data(Elaborator *e, Scope *scope, const VarNode *var, const TypeInfo *info,
                         const char *name) {
  elab_need_value(e, info, var);
  const int32_t *initial = info->is_const ? elab_defined(e, scope, info->type, var) : NULL;
  if (!initial)
    initial = elab_initial(e, scope, info->type, var->init);
  Symbol *symbol = scope_add(e, scope, var->name, var->place,
                             info->is_const ? SYMBOL_CONSTANT : SYMBOL_STORAGE);
  symbol->info = *info;
  if (!initial)
    return;
  if (info->is_const)
    symbol->expr =
        elab_table(e, var->place, arena_text(e->arena, name, strlen(name)), info->type, initial);
  else
    symbol->expr = add_data(e, var, info->type, info->is_meta, name, initial);
}

// The items of an initialiser, for the mistakes in them.
static void look_at(Elaborator *e, Scope *scope, const Tree *node) {
  if (node->kind == NODE_LIST)
    for (const Tree *item = node->b; item; item = item->next)
      look_at(e, scope, item->kind == NODE_DOT && item->value ? item->a : item);
  else
    elab_value(e, scope, node);
}

// A real variable, a constant that is not known before functions are run, or a hybrid clock.
static void declare_ignored(Elaborator *e, Scope *scope, const VarNode *var,
                            const TypeInfo *info) {
  const bool is_clock = leaf(info->type)->kind == TYPE_CLOCK;
  elab_need_value(e, info, var);
  if (var->init) {
    e->ignoring++;
    look_at(e, scope, var->init);
    e->ignoring--;
  }
  Symbol *symbol = scope_add(e, scope, var->name, var->place, SYMBOL_STORAGE);
  symbol->info = *info;
  symbol->expr =
      elab_ignored(e, var->place, is_clock ? EXPR_CLOCK : EXPR_VAR, var->name, info->type);
  *(is_clock ? &e->has_hybrids : &e->has_reals) |= !info->is_const;
}

// Whether the values are known without running functions, which have no real numbers here.
static bool is_known(Elaborator *e, Scope *scope, const Tree *node) {
  if (!node || node->kind != NODE_LIST) {
    const Expr *value = node ? elab_data(e, scope, node) : NULL;
    return value &&
           (value->kind == EXPR_REAL || value->kind == EXPR_CONST || value->kind == EXPR_TABLE);
  }
  for (const Tree *item = node->b; item; item = item->next)
    if (!is_known(e, scope, item))
      return false;
  return true;
}

static void declare(Elaborator *e, Scope *scope, const VarNode *var) {
  if (!var->name)
    return;
  const TypeInfo info = elab_type(e, scope, var->type, var->dims);
  if (!info.type) { // it may serve what is ignored, such as rates
    scope_add(e, scope, var->name, var->place, SYMBOL_REFUSED)->info = info;
    return;
  }
  if (info.is_bad || (info.is_const && !var->init && leaf(info.type)->kind != TYPE_CLOCK)) {
    elab_need_value(e, &info, var);
    scope_add(e, scope, var->name, var->place, SYMBOL_STORAGE)->info = info;
    return;
  }
  const Type *base = leaf(info.type);
  if (!e->is_full && ((base->kind == TYPE_CLOCK && info.is_hybrid) ||
                      (base->kind == TYPE_REAL &&
                       (!info.is_const || (var->init && !is_known(e, scope, var->init)))))) {
    declare_ignored(e, scope, var, &info);
    return;
  }
  Text text = {.mem = e->mem};
  const char *name = full_name(e, &text, var->name);
  if (base->kind == TYPE_CLOCK)
    declare_clocks(e, scope, var, info.type, name);
  else if (base->kind == TYPE_CHANNEL)
    declare_channels(e, scope, var, &info, &text);
  else if (base->kind == TYPE_VOID)
    elab_fail(e, var->place, "a variable cannot be void");
  else if (elab_is_record(base))
    declare_record(e, scope, var, &info, name);
  else
    declare_data(e, scope, var, &info, name);
  text_release(&text);
}

// Priorities are set when all channels are known: this is the place of the declaration.
static void prioritise(Elaborator *e, Scope *scope, const DeclNode *decl) {
  const LevelNode *fallback = NULL;
  for (const LevelNode *l = decl->levels; l; l = l->next) {
    if (l->expr)
      continue;
    if (fallback && fallback->level != l->level)
      elab_fail(e, decl->place, "`default` is listed twice, with different priorities");
    fallback = l;
  }
  // What is not listed has the priority of `default`, or without that the lowest.
  const int32_t other = fallback ? (int32_t)fallback->level : -1;
  e->making->priority.tau = other;
  e->making->priority.is_used = true;
  for (uint32_t c = 0; c < e->net->channels.size; c++)
    e->making->channels.items[c].priority = other;
  const LevelNode **listed =
      ARENA_ARRAY(e->arena, const LevelNode *, e->net->channels.size); // by channel
  for (const LevelNode *l = decl->levels; l; l = l->next) {
    if (!l->expr)
      continue;
    const Value value = elab_value(e, scope, l->expr);
    if (value.kind == VALUE_BAD)
      continue;
    uint32_t offset;
    if (value.kind != VALUE_CHANNEL || !elab_channel_offset(value.expr, &offset)) {
      elab_fail(e, l->expr->place, "a channel, with constant indices, is needed here");
      continue;
    }
    for (uint32_t k = 0; k < value.expr->type->slots; k++) {
      Channel *channel = &e->net->channels.items[offset + k];
      const LevelNode *first = listed[offset + k];
      if (first && first->level != l->level)
        elab_fail_twice(e, l->expr->place, first->expr->place, "`%s` is given a priority",
                        channel->name);
      channel->priority = (int32_t)l->level;
      listed[offset + k] = l;
    }
  }
}

bool elab_channel_offset(const Expr *expr, uint32_t *offset) {
  if (expr->kind == EXPR_COND)
    return false;
  if (expr->kind != EXPR_INDEX) {
    *offset = expr->base;
    return true;
  }
  int32_t index;
  if (!elab_channel_offset(expr->a, offset) || !expr_is_const(expr->b, &index))
    return false;
  const Type *array = expr->a->type;
  *offset += ((uint32_t)index - (uint32_t)array->first) * array->element->slots;
  return true;
}

static void declare_function(Elaborator *e, Scope *scope, const FunctionNode *function) {
  if (!function->name)
    return;
  Symbol *symbol = scope_add(e, scope, function->name, function->place, SYMBOL_FUNCTION);
  symbol->function = function;
  symbol->scope = scope_new(e->arena, scope, 1);
  symbol->scope->limit = symbol->order; // what comes later it does not see, in its types neither
}

static void declare_once(Elaborator *e, Place *first, Place place, const char *what) {
  if (first->source)
    elab_fail_twice(e, place, *first, "%s", what);
  *first = place;
}

static void update_hook(Elaborator *e, Scope *scope, const DeclNode *decl) {
  Frame frame = {0}, *outer = e->frame;
  StmtList list = {0};
  e->frame = &frame;
  elab_statement(e, scope, decl->body, &list);
  e->frame = outer;
  const bool before = decl->kind == DECL_BEFORE;
  declare_once(e, before ? &e->before : &e->after, decl->place,
               before ? "`before_update` is declared" : "`after_update` is declared");
  if (before) {
    e->making->hooks.before_stmts = list.first;
    e->making->hooks.before_locals = frame.max;
  } else {
    e->making->hooks.after_stmts = list.first;
    e->making->hooks.after_locals = frame.max;
  }
}

static void declare_type(Elaborator *e, Scope *scope, const VarNode *var) {
  if (!var->name)
    return;
  const TypeInfo info = elab_type_or_empty(e, scope, var->type, var->dims);
  scope_add(e, scope, var->name, var->place, SYMBOL_TYPE)->info = info;
}

void elab_declarations(Elaborator *e, Scope *scope, const DeclNode *decl) {
  const DeclNode *priority = NULL;
  for (; decl; decl = decl->next) {
    if (decl->is_broken)
      continue;
    switch (decl->kind) {
    case DECL_VARIABLE:
      declare(e, scope, decl->var);
      break;
    case DECL_TYPEDEF:
      declare_type(e, scope, decl->var);
      break;
    case DECL_FUNCTION:
      declare_function(e, scope, decl->function);
      break;
    case DECL_PRIORITY:
      declare_once(e, &e->priority, decl->place, "`chan priority` is declared");
      priority = decl;
      break;
    case DECL_BEFORE:
    case DECL_AFTER:
      update_hook(e, scope, decl);
      break;
    case DECL_REFUSED:
      elab_refuse(e, decl->place, decl->name);
      break;
    case DECL_IMPORTED:
      if (decl->name)
        scope_add(e, scope, decl->name, decl->place, SYMBOL_REFUSED)->info.refused =
            "external functions (`import`)";
      break;
    case DECL_INSTANCE: // elab_system
      break;
    }
  }
  if (priority)
    prioritise(e, scope, priority);
}
