// Constants that get other values than in the file. NetOrigin.define has NAME=VALUE on each line.
#include "language/uppaal/elaborate.h"

#include "language/uppaal/elab_real.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// One line: where it begins, how long the name is, and the value as a text of its own.
typedef struct Definition {
  const char *line;
  size_t name, size;
  uint32_t number;
} Definition;

static bool next_definition(const char **at, Definition *d) {
  const bool is_first = !d->line;
  if (!*at || !**at)
    return false;
  *d = (Definition){.line = *at,
                    .name = strcspn(*at, "=\n"),
                    .size = strcspn(*at, "\n"),
                    .number = is_first ? 0 : d->number + 1};
  *at += d->size + ((*at)[d->size] == '\n');
  return true;
}

static bool is_named(const Definition *d, const char *name) {
  return strlen(name) == d->name && !memcmp(name, d->line, d->name);
}

// Whether an initialiser has a name in it.
static bool is_computed(const Tree *tree) {
  for (; tree; tree = tree->next)
    if (tree->kind == NODE_NAME || tree->kind == NODE_CALL || is_computed(tree->a) ||
        is_computed(tree->b) || is_computed(tree->c))
      return true;
  return false;
}

// The value as a number. False if the text is none of this type.
static bool read_value(Elaborator *e, const Definition *d, const Type *type, int64_t *value) {
  const char *text = arena_text(e->arena, d->line + d->name + 1, d->size - d->name - 1);
  char *end;
  *value = !strcmp(text, "true");
  if (type->is_bool && (*value || !strcmp(text, "false")))
    return true;
  errno = 0;
  *value = strtoll(text, &end, 10);
  return end > text && !*end && !errno && strcspn(text, " \t\r\v\f") == strlen(text);
}

static const int32_t *define(Elaborator *e, const Definition *d, const Type *type,
                             const VarNode *var) {
  int64_t value;
  int32_t *result = ARENA_NEW(e->arena, int32_t);
  const int shown = (int)(d->size - d->name - 1);
  const char *text = d->line + d->name + 1;
  if (type->kind != TYPE_INT && elab_is_real(type))
    elab_fail(e, var->place,
              "`%s` is a real number: only whole numbers and truth values are set on the command "
              "line",
              var->name);
  else if (type->kind != TYPE_INT)
    elab_fail(e, var->place, "`%s` is not a single number: it gets no value on the command line",
              var->name);
  else if (is_computed(var->init))
    elab_fail(e, var->place,
              "`%s` is computed from others: set those, and not `%s`, on the command line",
              var->name, var->name);
  else if (!read_value(e, d, type, &value))
    elab_fail(e, var->place, "`%.*s` is not a value for `%s`: a %s is needed", shown, text,
              var->name, type->is_bool ? "truth value, true or false," : "whole number");
  else if (value < type->min || value > type->max)
    elab_fail(e, var->place, "`%s` cannot be %.*s: its range is %d to %d", var->name, shown, text,
              type->min, type->max);
  else
    *result = (int32_t)value;
  return result;
}

const int32_t *elab_defined(Elaborator *e, const Scope *scope, const Type *type,
                            const VarNode *var) {
  const char *at = e->net->origin.define;
  if (scope != e->globals && scope != e->system)
    return NULL;
  const int32_t *value = NULL;
  for (Definition d = {0}; next_definition(&at, &d);)
    if (is_named(&d, var->name)) {
      e->is_defined[d.number] = true;
      value = value ? value : define(e, &d, type, var);
    }
  return value;
}

static const VarNode *find(const DeclNode *decl, const Definition *d, Nearest *nearest,
                           const char *name) {
  for (; decl; decl = decl->next) {
    if (decl->kind != DECL_VARIABLE || !decl->var->name)
      continue;
    if (is_named(d, decl->var->name))
      return decl->var;
    if (nearest && decl->var->type->is_const)
      text_consider(nearest, name, decl->var->name);
  }
  return NULL;
}

// Says why a definition was for nothing.
static void refuse(Elaborator *e, const Definition *d) {
  const Document *document = e->document;
  const char *name = arena_text(e->arena, d->line, d->name);
  Nearest nearest = {0};
  const VarNode *var = find(document->decls, d, &nearest, name);
  if (!var)
    var = find(document->system_decls, d, &nearest, name);
  if (var) {
    elab_fail(e, var->place, "`%s` is not a constant: it gets no value on the command line",
              name);
    return;
  }
  for (const TemplateNode *t = document->templates; t; t = t->next)
    if ((var = find(t->decls, d, NULL, name))) {
      elab_fail(e, var->place,
                "`%s` is declared in the template `%s`: only constants that are global or of the "
                "system section get values on the command line",
                name, t->name);
      return;
    }
  e->failures++;
  if (nearest.name)
    report_error(e->report, (Place){0}, "%s: there is no constant `%s`; did you mean `%s`?",
                 document->name, name, nearest.name);
  else
    report_error(e->report, (Place){0}, "%s: there is no constant `%s`", document->name, name);
}

void elab_begin_defining(Elaborator *e) {
  const char *at = e->net->origin.define;
  uint32_t count = 0;
  for (Definition d = {0}; next_definition(&at, &d); count++) {
    const char *before = e->net->origin.define;
    for (Definition other = {0}; next_definition(&before, &other) && other.line < d.line;)
      if (other.name == d.name && !memcmp(other.line, d.line, d.name)) {
        e->failures++;
        report_error(e->report, (Place){0}, "`%.*s` is set twice on the command line",
                     (int)d.name, d.line);
      }
  }
  e->is_defined = ARENA_ARRAY(e->arena, bool, count);
}

void elab_end_defining(Elaborator *e) {
  const char *at = e->net->origin.define;
  for (Definition d = {0}; next_definition(&at, &d);)
    if (!e->is_defined[d.number])
      refuse(e, &d);
}
