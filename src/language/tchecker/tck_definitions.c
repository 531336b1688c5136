#include "language/tchecker/tck_definitions.h"

#include <string.h>

// Adds a definition if it is not there yet; its number. The text is released.
static uint32_t number_of(Definitions *d, const char *kind, const char *name, const Expr *table,
                          Text *text) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < d->items.size; i++) {
    const Definition *known = &d->items.items[i];
    if (strcmp(known->kind, kind) != 0 || strcmp(known->name, name) != 0)
      continue;
    count++;
    if (!strcmp(known->text, text_chars(text))) {
      text_release(text);
      return known->number;
    }
  }
  vec_push(d->mem, &d->items,
           ((Definition){kind, name, table, text_keep(text, d->mem), count + 1}));
  return count + 1;
}

static void print_fields(Text *text, const Type *type) {
  text_add(text, "struct(");
  for (uint32_t k = 0; k < type->count; k++) {
    text_add(text, k ? ", " : "");
    definitions_print_type(text, type->fields[k].type);
    text_addf(text, " %s", type->fields[k].name);
  }
  text_add_char(text, ')');
}

void definitions_print_type(Text *text, const Type *type) {
  const Type *leaf = type;
  while (leaf->kind == TYPE_ARRAY)
    leaf = leaf->element;
  if (leaf->kind == TYPE_STRUCT)
    print_fields(text, leaf);
  else if (leaf->kind != TYPE_INT)
    text_add(text, leaf->kind == TYPE_CLOCK  ? "clock"
                   : leaf->kind == TYPE_REAL ? "double"
                                             : "void");
  else if (leaf->min == INT32_MIN && leaf->max == INT32_MAX)
    text_add(text, "int");
  else
    text_addf(text, "int[%d,%d]", (int)leaf->min, (int)leaf->max);
  for (; type->kind == TYPE_ARRAY; type = type->element)
    if (type->first)
      text_addf(text, "[%d,%lld]", (int)type->first, (long long)type->first + type->count - 1);
    else
      text_addf(text, "[%u]", (unsigned)type->count);
}

// The values are compared before they are printed: most tables are needed again and again.
static uint32_t number_of_table(Definitions *d, const Expr *table) {
  const uint32_t slots = table->type->slots;
  Text text = {.mem = d->mem};
  text_add(&text, "{type: ");
  definitions_print_type(&text, table->type);
  text_add(&text, " : values: ");
  for (uint32_t i = 0; i < d->items.size; i++) {
    const Definition *known = &d->items.items[i];
    if (known->table && known->table->type->slots == slots && !strcmp(known->name, table->name) &&
        !(slots && memcmp(known->table->table, table->table, slots * sizeof *table->table)) &&
        !strncmp(known->text, text_chars(&text), text.size)) {
      text_release(&text);
      return known->number;
    }
  }
  for (uint32_t k = 0; k < slots; k++)
    text_addf(&text, k ? ",%d" : "%d", (int)table->table[k]);
  text_add_char(&text, '}');
  return number_of(d, "const", table->name, table, &text);
}

// The locals and the code, which end a list of attributes that has begun.
static void add_code(Definitions *d, Text *text, const Stmt *stmts) {
  Text locals = {.mem = d->mem}, code = {.mem = d->mem}, *outer = d->locals;
  d->locals = &locals;
  stmt_print_marked(&code, stmts, &d->marks);
  d->locals = outer;
  if (locals.size)
    text_addf(text, "locals: %s : ", text_chars(&locals) + strlen(", "));
  text_addf(text, "do: %s}", text_chars(&code));
  text_release(&locals);
  text_release(&code);
}

static uint32_t number_of_function(Definitions *d, const Function *function) {
  if (d->functions[function->id])
    return d->functions[function->id];
  Text text = {.mem = d->mem};
  text_add(&text, "{result: ");
  definitions_print_type(&text, function->result);
  for (uint32_t k = 0; k < function->param_count; k++) {
    text_add(&text, k ? ", " : " : parameters: ");
    definitions_print_type(&text, function->params[k]);
  }
  text_add(&text, " : ");
  add_code(d, &text, function->body);
  d->functions[function->id] = number_of(d, "function", function->name, NULL, &text);
  return d->functions[function->id];
}

// Adds a local to those of the function, if it is not there.
static void note_local(Definitions *d, const Expr *local) {
  Text text = {.mem = d->mem};
  text_add(&text, ", ");
  definitions_print_type(&text, local->type);
  text_addf(&text, " %s%s#%u", local->kind == EXPR_REMOTE ? "&" : "", local->name,
            (unsigned)local->base);
  const char *at = text_chars(d->locals);
  do
    at = strstr(at, text_chars(&text));
  while (at && *(at += text.size) != ',' && *at);
  if (!at)
    text_add(d->locals, text_chars(&text));
  text_release(&text);
}

static bool is_name_of(const Name *names, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp(names[i].name, name))
      return true;
  return false;
}

static void add_mark(void *context, Text *text, const Expr *expr) {
  Definitions *d = context;
  const Net *net = d->net;
  if (expr->kind == EXPR_CALL) {
    const uint32_t number = number_of_function(d, expr->function);
    if (number > 1)
      text_addf(text, "#%u", (unsigned)number);
  } else if (expr->kind == EXPR_TABLE) {
    text_addf(text, "#%u", (unsigned)number_of_table(d, expr));
  } else if (d->locals) {
    note_local(d, expr);
    text_addf(text, "#%u", (unsigned)expr->base);
  } else if (net->origin.uppaal &&
             (is_name_of(net->variables.items, net->variables.size, expr->name) ||
              is_name_of(net->clocks.items, net->clocks.size, expr->name))) {
    text_add_char(text, '#');
  }
}

void definitions_begin(Definitions *d, Mem *mem, const Net *net) {
  *d = (Definitions){.mem = mem, .net = net, .marks = {add_mark, d}};
  d->functions = mem_alloc(mem, sizeof *d->functions * net->functions.size);
}

void definitions_end(Definitions *d) {
  for (uint32_t i = 0; i < d->items.size; i++)
    mem_free(d->mem, d->items.items[i].text);
  vec_release(d->mem, &d->items);
  mem_free(d->mem, d->functions);
}

void definitions_print_code(Definitions *d, Text *text, const Stmt *stmts) {
  text_add_char(text, '{');
  add_code(d, text, stmts);
  text_add_char(text, '\n');
}

void definitions_print(const Definitions *d, Text *text) {
  for (uint32_t i = 0; i < d->items.size; i++) {
    const Definition *known = &d->items.items[i];
    const bool is_plain = *known->kind == 'f' && known->number == 1;
    text_addf(text, "%s:%s", known->kind, known->name);
    if (!is_plain)
      text_addf(text, "#%u", (unsigned)known->number);
    text_addf(text, "%s\n", known->text);
  }
}
