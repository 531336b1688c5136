// Templates, instances and the system line: who the processes are, and what their parameters
// stand for.
#include "language/uppaal/elab_real.h"

#include <inttypes.h>
#include <string.h>

// Whether something in the template assigns to a parameter, or passes it to a function that may:
// then a value parameter is a variable.
typedef struct Writes {
  const TemplateNode *template;
  const Scope *globals;
  const char *name;
} Writes;

static bool is_part_of(const Tree *node, const char *name) {
  while (node->kind == NODE_INDEX || node->kind == NODE_DOT)
    node = node->a;
  return node->kind == NODE_NAME && node->name == name;
}

static const FunctionNode *called(const Writes *w, const Tree *call) {
  const char *name = call->a->kind == NODE_NAME ? call->a->name : NULL;
  for (const DeclNode *d = w->template->decls; name && d; d = d->next)
    if (d->kind == DECL_FUNCTION && d->function->name == name)
      return d->function;
  const Symbol *symbol = name ? scope_find(w->globals, name) : NULL;
  return symbol && symbol->kind == SYMBOL_FUNCTION ? symbol->function : NULL;
}

static bool call_assigns(const Writes *w, const Tree *call) {
  const FunctionNode *function = called(w, call);
  const Tree *arg = call->b;
  for (const VarNode *p = function ? function->params : NULL; p && arg;
       p = p->next, arg = arg->next)
    if (p->is_reference && !p->type->is_const && is_part_of(arg, w->name))
      return true;
  return false;
}

static bool node_assigns(const Writes *w, const Tree *node) {
  if (!node)
    return false;
  if ((node->kind == NODE_ASSIGN || node->kind == NODE_STEP) && is_part_of(node->a, w->name))
    return true;
  if (node->kind == NODE_CALL && call_assigns(w, node))
    return true;
  for (const Tree *b = node->b; b; b = b->next)
    if (node_assigns(w, b))
      return true;
  return node_assigns(w, node->a) || node_assigns(w, node->c);
}

static bool list_assigns(const Writes *w, const Tree *list) {
  for (; list; list = list->next)
    if (node_assigns(w, list))
      return true;
  return false;
}

static bool stmt_assigns(const Writes *w, const StmtNode *stmt) {
  for (; stmt; stmt = stmt->next) {
    for (const DeclNode *d = stmt->decls; d; d = d->next)
      if (d->kind == DECL_VARIABLE && node_assigns(w, d->var->init))
        return true;
    if (list_assigns(w, stmt->a) || list_assigns(w, stmt->b) || list_assigns(w, stmt->c) ||
        list_assigns(w, stmt->before) || stmt_assigns(w, stmt->body) ||
        stmt_assigns(w, stmt->other))
      return true;
  }
  return false;
}

static bool template_assigns(const Writes *w) {
  for (const EdgeNode *edge = w->template->edges; edge; edge = edge->next)
    if (list_assigns(w, edge->update))
      return true;
  for (const DeclNode *d = w->template->decls; d; d = d->next)
    if (d->kind == DECL_FUNCTION && stmt_assigns(w, d->function->body))
      return true;
  return false;
}

// Parameters.

static bool bind_reference(Elaborator *e, Scope *scope, const VarNode *param,
                           const TypeInfo *info, Value value, Place place) {
  const bool is_record = value.kind == VALUE_RECORD;
  const bool is_clock = value.kind == VALUE_CLOCKS && !value.minus && !value.expr;
  const Expr *expr = is_clock || is_record ? value.plus : value.expr;
  if (!expr || !expr_is_storage(expr) || value.kind == VALUE_PROCESS)
    return elab_fail(e, place, "a variable, a clock or a channel is needed for `%s`",
                     param->name);
  if (is_record ? !elab_fits_record(e, info->type, value.expr, value.plus)
                : !elab_same_type(info->type, expr->type))
    return elab_fail(e, place, "the argument for `%s` has another type", param->name);
  if (value.kind == VALUE_CHANNEL) {
    Symbol *symbol = scope_add(e, scope, param->name, param->place, SYMBOL_CHANNEL);
    symbol->info = *info;
    symbol->info.type = expr->type;
    if (!elab_channel_offset(expr, &symbol->base))
      return elab_fail(e, place,
                       "a channel that is passed must be known: no variable can choose it");
    return true;
  }
  const Expr *root = expr;
  for (; root->kind == EXPR_INDEX || root->kind == EXPR_FIELD; root = root->a) {
    int32_t index;
    if (root->kind == EXPR_INDEX && !expr_is_const(root->b, &index))
      return elab_fail(e, place, "the index of an argument must be constant");
  }
  const bool is_table = root->kind == EXPR_TABLE;
  Symbol *symbol =
      scope_add(e, scope, param->name, param->place, is_table ? SYMBOL_CONSTANT : SYMBOL_STORAGE);
  symbol->expr = is_record ? value.expr : expr;
  symbol->clocks = is_record ? value.plus : NULL;
  return true;
}

static bool bind_value(Elaborator *e, Scope *scope, const VarNode *param, const TypeInfo *info,
                       const Expr *expr, Place place) {
  const Type *type = info->type;
  expr = elab_coerce(e, expr, type);
  if (!elab_same_type(type, expr->type))
    return elab_fail(e, place, "the argument for `%s` has another type", param->name);
  if (!e->is_full && elab_is_real(type) && expr->kind != EXPR_REAL && expr->kind != EXPR_TABLE) {
    scope_add(e, scope, param->name, param->place, SYMBOL_STORAGE)->expr =
        elab_ignored(e, param->place, EXPR_VAR, param->name, type);
    return true;
  }
  int32_t *values = ARENA_ARRAY(e->arena, int32_t, type->slots);
  if (!elab_constant(e, expr, values))
    return false;
  if (type->kind == TYPE_INT && (*values < type->min || *values > type->max))
    return elab_fail(e, place, "%d is outside the range %d .. %d of `%s`", (int)*values,
                     (int)type->min, (int)type->max, param->name);
  Symbol *symbol = scope_add(e, scope, param->name, param->place, SYMBOL_CONSTANT);
  symbol->info = *info;
  symbol->expr = elab_table(e, param->place, param->name, type, values);
  return true;
}

static bool bind_argument(Elaborator *e, Scope *scope, const VarNode *param, Scope *outer,
                          const Tree *arg) {
  if (!param->name)
    return false;
  const TypeInfo info = elab_type(e, scope, param->type, param->dims);
  if (!info.type) { // a double, which may serve what is ignored
    Symbol *symbol = scope_add(e, scope, param->name, param->place, SYMBOL_REFUSED);
    symbol->info = info;
    return true;
  }
  const Value value = elab_value(e, outer, arg);
  if (value.kind == VALUE_BAD)
    return false;
  const bool is_storage = value.kind != VALUE_DATA || expr_is_storage(value.expr);
  if (value.kind != VALUE_DATA || (param->is_reference && is_storage))
    return bind_reference(e, scope, param, &info, value, arg->place);
  return bind_value(e, scope, param, &info, value.expr, arg->place);
}

// The scope of the parameters of `maker->of`, from the arguments of the instance.
static Scope *bind_arguments(Elaborator *e, const Maker *maker, Scope *outer) {
  Scope *scope = scope_new(e->arena, maker->of->instance ? e->system : e->globals, 4);
  const Tree *arg = maker->instance->list;
  for (const VarNode *p = maker->of->params; p; p = p->next) {
    if (!arg) {
      elab_fail(e, maker->instance->place, "`%s` needs more arguments",
                maker->instance->template_name);
      return NULL;
    }
    if (!bind_argument(e, scope, p, outer, arg))
      return NULL;
    arg = arg->next;
  }
  if (arg) {
    elab_fail(e, arg->place, "`%s` has no more parameters", maker->instance->template_name);
    return NULL;
  }
  return scope;
}

// Processes.

// Value parameters that the template changes become variables of the process.
static void make_variables(Elaborator *e, Scope *params, const TemplateNode *template) {
  for (const VarNode *p = template->params; p; p = p->next) {
    Symbol *symbol = p->name ? scope_find_here(params, p->name) : NULL;
    const Writes writes = {template, e->globals, p->name};
    if (!symbol || symbol->kind != SYMBOL_CONSTANT || p->is_reference || p->type->is_const ||
        !symbol->expr || !template_assigns(&writes))
      continue;
    int32_t *values = ARENA_ARRAY(e->arena, int32_t, symbol->info.type->slots);
    elab_constant(e, symbol->expr, values);
    Text name = {.mem = e->mem};
    text_addf(&name, "%s%s", e->prefix, p->name);
    const uint32_t base = e->net->location_slot;
    net_add_variable(e->making, text_chars(&name), symbol->info.type, values, p->place);
    symbol->kind = SYMBOL_STORAGE;
    symbol->expr =
        expr_storage(e->arena, p->place, EXPR_VAR,
                     arena_text(e->arena, text_chars(&name), name.size), symbol->info.type, base);
    text_release(&name);
  }
}

static bool is_rate(const Tree *tree) { return tree->kind == NODE_RATE; }

// A rate that is not in an equation, x' == e, which is a conjunct of the invariant, with or
// without forall; NULL: none.
static const Tree *loose_rate(const Tree *tree, bool is_conjunct) {
  if (!tree || is_rate(tree))
    return tree;
  if (is_conjunct && tree->kind == NODE_BINARY && tree->op == EXPR_EQ &&
      (is_rate(tree->a) || is_rate(tree->b)))
    return loose_rate(is_rate(tree->a) ? tree->b : tree->a, false);
  const bool inner = is_conjunct && ((tree->kind == NODE_BINARY && tree->op == EXPR_AND) ||
                                     (tree->kind == NODE_QUANTIFY && tree->op == EXPR_FORALL));
  const Tree *found = loose_rate(tree->a, inner);
  found = found ? found : loose_rate(tree->b, inner);
  return found ? found : loose_rate(tree->c, inner);
}

// The condition of an invariant or a guard. In a statistical model, one that is no conjunction of
// clock tests compares numbers.
const Expr *elab_constraint(Elaborator *e, Scope *scope, const Tree *node) {
  ClockRates *rates = e->rates;
  const uint32_t count = rates ? rates->size : 0;
  e->is_constraint = true;
  const Expr *expr = elab_condition(e, scope, node);
  e->is_constraint = false;
  const Expr *flaw = expr ? expr_guard_flaw(expr) : NULL;
  if (flaw && e->is_full) {
    if (rates)
      rates->size = count;
    return elab_condition(e, scope, node);
  }
  return expr;
}

static void keep_rates(Elaborator *e, LocationId id, ClockRates *rates) {
  ClockRate *copy = ARENA_ARRAY(e->arena, ClockRate, rates->size);
  if (rates->size)
    memcpy(copy, rates->items, sizeof *copy * rates->size);
  e->making->locations.items[id].clock_rates = copy;
  e->making->locations.items[id].clock_rate_count = rates->size;
  vec_release(e->mem, rates);
}

// A lower bound in a conjunction; NULL: there is none.
static const Expr *lower_bound(const Expr *expr) {
  if (expr->kind == EXPR_AND) {
    const Expr *found = lower_bound(expr->a);
    return found ? found : lower_bound(expr->b);
  }
  const bool is_lower =
      expr->kind == EXPR_CLOCK_TEST && !expr->b && (expr->op == EXPR_GE || expr->op == EXPR_GT);
  int32_t value;
  return is_lower && expr->c && !(expr_is_const(expr->c, &value) && value <= 0) ? expr : NULL;
}

static void make_invariant(Elaborator *e, Scope *scope, const LocationNode *node, LocationId id) {
  Frame frame = {0}, *outer = e->frame;
  ClockRates rates = {0};
  e->frame = &frame;
  e->rates = &rates;
  const Expr *expr = elab_constraint(e, scope, node->invariant);
  e->rates = NULL;
  e->frame = outer;
  keep_rates(e, id, &rates);
  const Tree *loose =
      e->making->locations.items[id].clock_rate_count ? loose_rate(node->invariant, true) : NULL;
  if (loose)
    elab_fail(e, loose->place, "the rate of a clock stands in a conjunction, or below `forall`");
  if (!expr)
    return;
  e->making->locations.items[id].locals = frame.max;
  const Expr *flaw = expr_guard_flaw(expr);
  if (flaw)
    elab_fail(e, flaw->place,
              "this clock constraint has no place in an invariant: only conjunctions are, and "
              "disjunctions with one side on integers");
  const Expr *lower = lower_bound(expr);
  if (lower)
    elab_warn(
        e, lower->place,
        "an invariant with a lower bound: no time passes in a location before its invariant "
        "holds, so it is entered only when the bound is reached; to wait for the bound in "
        "it, write a guard on the edges that leave it");
  if (frame.has_effects)
    elab_fail(e, node->invariant->place, "an invariant must not change variables");
  int32_t value;
  if (expr_is_const(expr, &value) && value)
    return;
  e->making->locations.items[id].invariant_expr = expr;
}

// rate : divisor, as one number.
static void make_rate(Elaborator *e, Scope *scope, const LocationNode *node, LocationId id) {
  Frame frame = {0}, *outer = e->frame;
  e->frame = &frame;
  const Expr *rate = elab_number(e, scope, node->rate);
  const Expr *divisor = node->divisor ? elab_number(e, scope, node->divisor) : NULL;
  e->frame = outer;
  if (frame.has_effects)
    elab_fail(e, node->rate->place, "a rate must not change variables");
  const Type *real = type_real(e->arena);
  if (rate && divisor)
    rate = expr_binary(e->arena, node->divisor->place, EXPR_DIV, elab_coerce(e, rate, real),
                       elab_coerce(e, divisor, real));
  e->making->locations.items[id].exponential = rate;
}

static LocationId *make_locations(Elaborator *e, Scope *scope, const TemplateNode *template) {
  uint32_t count = 0;
  for (const LocationNode *l = template->locations; l; l = l->next)
    count += !l->is_branch;
  LocationId *ids = ARENA_ARRAY(e->arena, LocationId, count);
  uint32_t k = 0;
  for (const LocationNode *l = template->locations; l; l = l->next) {
    if (l->is_branch || !l->name)
      continue;
    scope_add(e, scope, l->name, l->place, SYMBOL_LOCATION)->base = k;
    ids[k] = net_add_location(e->making, e->process, l->name, l->place);
    Location *location = &e->making->locations.items[ids[k]];
    location->initial = l->id == template->init;
    location->urgent = l->is_urgent;
    location->committed = l->is_committed;
    if (l->is_urgent && l->is_committed)
      elab_fail(e, l->place, "the location `%s` is both urgent and committed", l->name);
    if (l->invariant)
      make_invariant(e, scope, l, ids[k]);
    if (l->rate && e->is_full)
      make_rate(e, scope, l, ids[k]);
    k++;
  }
  return ids;
}

static void check_initial(Elaborator *e, const TemplateNode *template) {
  for (const LocationNode *l = template->locations; l; l = l->next)
    if (template->init && l->id == template->init)
      return;
  if (template->is_broken)
    return;
  if (!template->locations) {
    elab_fail(e, template->place, "`%s` has no locations%s", template->name,
              e->document->is_xml ? "" : ": write `state a; init a;`");
    return;
  }
  if (template->init && !e->document->is_xml)
    elab_fail(e, template->place, "the initial location `%s` of `%s` is not there%s",
              template->init, template->name, elab_nearest_location(e, template, template->init));
  else
    elab_fail(e, template->place, "the template `%s` has no initial location", template->name);
}

static ProcessEntry make_process(Elaborator *e, const TemplateNode *template, Scope *params,
                                 const char *name, Place place, int32_t priority) {
  const ProcessId id = net_add_process(e->making, name, place);
  Process *process = &e->making->processes.items[id];
  process->template_name = template->name;
  process->priority = priority;
  Text prefix = {.mem = e->mem};
  text_addf(&prefix, "%s.", name);
  e->prefix = arena_keep(e->arena, &prefix);
  e->process = id;
  make_variables(e, params, template);
  Scope *scope = scope_new(e->arena, params, 32);
  elab_declarations(e, scope, template->decls);
  check_initial(e, template);
  const LocationId *locations = make_locations(e, scope, template);
  elab_edges(e, scope, template, locations);
  e->prefix = NULL;
  return (ProcessEntry){id, scope};
}

// From the parameters of the maker down to those of its template.
static Scope *template_scope(Elaborator *e, const Maker *maker, Scope *params) {
  uint32_t depth = 0;
  for (; maker->instance; maker = maker->of) {
    params = bind_arguments(e, maker, params);
    if (!params || ++depth > 100)
      return NULL;
  }
  return params;
}

typedef struct Expansion {
  Elaborator *e;
  const Symbol *symbol;
  int32_t priority;
  int64_t room;  // processes it may have: each other name of the system has one at least
  bool is_empty; // a parameter has no values: no process
  VEC(ProcessEntry) entries;
  VEC(int32_t) values;
  VEC(const Type *) types;
} Expansion;

static void add_process(Expansion *x) {
  Elaborator *e = x->e;
  const Maker *maker = x->symbol->maker;
  Text name = {.mem = e->mem};
  text_add(&name, x->symbol->name);
  for (uint32_t k = 0; k < x->values.size; k++)
    text_addf(&name, "%s%d", k ? "," : "(", (int)x->values.items[k]);
  if (x->values.size)
    text_add_char(&name, ')');
  Scope *params = scope_new(e->arena, maker->instance ? e->system : e->globals, 4);
  uint32_t k = 0;
  for (const VarNode *p = maker->params; p; p = p->next, k++) {
    Symbol *symbol = scope_add(e, params, p->name, p->place, SYMBOL_CONSTANT);
    symbol->expr = expr_const(e->arena, p->place, x->values.items[k]);
    symbol->info.type = x->types.items[k];
  }
  params = template_scope(e, maker, params);
  if (params && e->net->processes.size < ELABORATE_MAX_PROCESSES) {
    const ProcessEntry entry = make_process(e, maker->template, params, text_chars(&name),
                                            maker->template->place, x->priority);
    vec_push(e->mem, &x->entries, entry);
  } else if (params) {
    elab_fail(e, x->symbol->place, "more than %d processes are not supported",
              ELABORATE_MAX_PROCESSES);
  }
  text_release(&name);
}

// All choices of the free parameters from this one on.
static void expand(Expansion *x, const VarNode *param) {
  if (!param) {
    add_process(x);
    return;
  }
  const Type *type = x->types.items[x->values.size];
  for (int64_t value = type->min; value <= type->max; value++) {
    const uint32_t failures = x->e->failures;
    vec_push(x->e->mem, &x->values, (int32_t)value);
    expand(x, param->next);
    (void)vec_pop(&x->values);
    if (x->e->failures != failures)
      return;
  }
}

static bool free_types(Expansion *x) {
  Elaborator *e = x->e;
  Scope *scope = x->symbol->maker->instance ? e->system : e->globals;
  int64_t count = 1;
  const VarNode *widest = NULL;
  int32_t least = 0, max = 0; // its range
  for (const VarNode *p = x->symbol->maker->params; p; p = p->next) {
    int32_t low, high;
    if (!p->name)
      return false;
    if (p->is_reference || p->dims)
      return elab_fail(
          e, x->symbol->place,
          "`%s` has the parameter `%s`, which needs an argument: make a process of it with "
          "`P = %s(...);`",
          x->symbol->name, p->name, x->symbol->name);
    if (!elab_range(e, scope, p->type, &low, &high))
      return false;
    count *= (int64_t)high - low + 1;
    if (!widest || (int64_t)high - low > (int64_t)max - least) {
      widest = p;
      least = low;
      max = high;
    }
    if (count > x->room)
      return elab_fail(
          e, widest->place,
          "`%s` has the parameter `%s` of the range %d .. %d, and a process for each value: "
          "more than %d processes are not supported; give it a smaller range, as in "
          "`int[0,3] %s`",
          x->symbol->name, widest->name, (int)least, (int)max, ELABORATE_MAX_PROCESSES,
          widest->name);
    if (low > high)
      count = 0;
    vec_push(e->mem, &x->types, type_int(e->arena, low, low > high ? low : high));
  }
  x->is_empty = !count;
  return true;
}

static void add_processes(Elaborator *e, const LevelNode *item, int64_t room) {
  const Tree *node = item->expr;
  const char *name = node->kind == NODE_NAME ? node->name : NULL;
  Symbol *maker = name ? scope_find(e->system, name) : NULL;
  if (maker && maker->kind == SYMBOL_STORAGE && maker->info.is_bad) { // `P P1 = P(3);`
    e->failures++;
    return;
  }
  if (!maker || maker->kind != SYMBOL_MAKER) {
    elab_fail(
        e, node->place,
        name ? "there is no template or process `%s`%s"
        : node->kind == NODE_CALL
            ? "give the process a name first, as in `P1 = P(3);`, and that to the system%s%s"
            : "the name of a process is needed here%s%s",
        name ? name : "", name ? elab_hint(e, e->system, e->system, name, HINT_ITEMS) : "");
    return;
  }
  Scope *names = e->processes;
  const Symbol *first = scope_find_here(names, name);
  if (first) {
    elab_fail_twice(e, node->place, first->place, "`%s` occurs in the system", name);
    return;
  }
  if (!maker->maker->template) {
    elab_fail(e, maker->place, "there is no template `%s`%s",
              maker->maker->instance->template_name,
              elab_hint(e, e->system, e->system, maker->maker->instance->template_name,
                        HINT_TEMPLATES));
    return;
  }
  Expansion x = {.e = e, .symbol = maker, .priority = (int32_t)item->level, .room = room};
  if (free_types(&x)) {
    if (!x.is_empty)
      expand(&x, maker->maker->params);
    ProcessSet *set = ARENA_NEW(e->arena, ProcessSet);
    const Type **types = ARENA_ARRAY(e->arena, const Type *, x.types.size);
    if (x.types.size)
      memcpy(types, x.types.items, sizeof *types * x.types.size);
    ProcessEntry *entries = ARENA_ARRAY(e->arena, ProcessEntry, x.entries.size);
    if (x.entries.size)
      memcpy(entries, x.entries.items, sizeof *entries * x.entries.size);
    *set = (ProcessSet){x.types.size, types, entries, x.entries.size};
    if (x.entries.size) {
      Symbol *symbol = scope_add(e, names, name, node->place, SYMBOL_PROCESSES);
      symbol->processes = set;
    }
  }
  vec_release(e->mem, &x.types);
  vec_release(e->mem, &x.values);
  vec_release(e->mem, &x.entries);
}

static void add_maker(Elaborator *e, const char *name, Place place, const Maker *maker) {
  if (name)
    scope_add(e, e->system, name, place, SYMBOL_MAKER)->maker = maker;
}

static void declare_templates(Elaborator *e) {
  for (const TemplateNode *t = e->document->templates; t; t = t->next) {
    Maker *maker = ARENA_NEW(e->arena, Maker);
    *maker = (Maker){.template = t, .params = t->params};
    add_maker(e, t->name, t->place, maker);
  }
}

static void declare_instance(Elaborator *e, const DeclNode *decl) {
  if (!decl->name || !decl->template_name || decl->is_broken)
    return;
  const Symbol *of = scope_find(e->system, decl->template_name);
  Maker *maker = ARENA_NEW(e->arena, Maker);
  *maker = (Maker){.instance = decl, .params = decl->params};
  if (of && of->kind == SYMBOL_MAKER) { // else it must not be used
    maker->template = of->maker->template;
    maker->of = of->maker;
  }
  add_maker(e, decl->name, decl->place, maker);
}

// Functions that only queries call; what is wrong with one matters when it is called.
static void prepare_functions(Elaborator *e, const Scope *scope) {
  for (uint32_t b = 0; b <= scope->mask; b++)
    for (Symbol *s = scope->buckets[b]; s; s = s->next)
      if (s->kind == SYMBOL_FUNCTION)
        elab_prepare(e, s);
}

static void prepare(Elaborator *e) {
  Report *report = e->report, unused;
  const uint32_t failures = e->failures;
  report_init(&unused, e->mem);
  e->report = &unused;
  prepare_functions(e, e->globals);
  prepare_functions(e, e->system);
  for (uint32_t b = 0; b <= e->processes->mask; b++)
    for (const Symbol *s = e->processes->buckets[b]; s; s = s->next)
      for (uint32_t k = 0; k < s->processes->count; k++)
        prepare_functions(e, s->processes->entries[k].scope);
  report_release(&unused);
  vec_clear(&e->reported);
  e->report = report;
  e->failures = failures;
}

static void add_candidate(Elaborator *e, const char *name, Place place) {
  const Symbol *maker = scope_find(e->system, name);
  if (!maker || maker->kind != SYMBOL_MAKER || scope_find_here(e->processes, name))
    return;
  Tree *tree = ARENA_NEW(e->arena, Tree);
  *tree = (Tree){.kind = NODE_NAME, .name = name, .place = place};
  add_processes(e, &(LevelNode){.expr = tree}, 1);
}

// Without a system line: what could stand there, so that mistakes in it are told.
static void add_candidates(Elaborator *e) {
  for (const DeclNode *d = e->document->system_decls; d; d = d->next)
    if (d->kind == DECL_INSTANCE && !d->is_broken && !d->params && d->name && d->template_name)
      add_candidate(e, d->name, d->place);
  for (const TemplateNode *t = e->document->templates; t; t = t->next)
    if (t->name && !t->params)
      add_candidate(e, t->name, t->place);
}

void elab_system(Elaborator *e) {
  Frame frame = {0};
  e->frame = &frame;
  elab_declarations(e, e->globals, e->document->decls);
  declare_templates(e);
  for (const DeclNode *d = e->document->system_decls; d; d = d->next) {
    if (d->kind == DECL_INSTANCE) {
      declare_instance(e, d);
    } else {
      DeclNode one = *d; // in order: arguments of instances may use it
      one.next = NULL;
      elab_declarations(e, e->system, &one);
    }
  }
  if (!e->document->system && !e->document->damage.is_any)
    elab_fail(e, e->document->system_place, "there is no `system` line: nothing to check");
  if (!e->document->system)
    add_candidates(e);
  int64_t room = ELABORATE_MAX_PROCESSES + 1;
  for (const LevelNode *item = e->document->system; item; item = item->next)
    room--;
  for (const LevelNode *item = e->document->system; item; item = item->next) {
    e->making->priority.is_used |= item->level > 0;
    add_processes(e, item, room);
  }
  elab_check_rates(e);
  if (!e->failures)
    prepare(e);
  e->frame = NULL;
}
