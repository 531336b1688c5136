// Updates: assignments on edges as they are, other statements as functions.
//
// An assignment that leaves the range of its variable disables the edge in TChecker's language
// and is an error in UPPAAL's. So a guard tells beforehand: a condition on the value of a plain
// assignment (xta_writer.c), or else a function that tries the update on copies.
#include "language/uppaal/xta_parts.h"

void xta_add_assign(Writer *w, const Stmt *stmt) {
  xta_add_expr(w, stmt->target);
  text_add(w->text, " = ");
  if (stmt->source) {
    xta_add_expr(w, stmt->source);
    text_add(w->text, stmt->value ? " + (" : "");
  }
  if (stmt->value)
    xta_add_expr(w, stmt->value);
  else if (!stmt->source)
    text_add_char(w->text, '0');
  if (stmt->source && stmt->value)
    text_add_char(w->text, ')');
}

bool xta_is_plain(const Stmt *stmt) {
  for (; stmt; stmt = stmt->next)
    if (stmt->kind != STMT_ASSIGN && stmt->kind != STMT_CLOCK_ASSIGN && stmt->kind != STMT_NOP)
      return false;
  return true;
}

// Whether the value of an assignment can leave the range of its variable.
bool xta_can_leave(const Stmt *stmt) {
  if (stmt->kind != STMT_ASSIGN || stmt->target->type->kind != TYPE_INT)
    return false;
  const Range range = expr_range(stmt->value);
  return range.low < stmt->target->type->min || range.high > stmt->target->type->max;
}

// The same of assignments inside `if` and `while`, too.
bool xta_can_any_leave(const Stmt *stmt) {
  for (; stmt; stmt = stmt->next)
    if (xta_can_leave(stmt) || xta_can_any_leave(stmt->body) || xta_can_any_leave(stmt->other))
      return true;
  return false;
}

static bool is_inside(const Expr *root, uint32_t base, const Type *type) {
  return root->kind == EXPR_VAR && root->base < base + type->slots &&
         base < root->base + root->type->slots;
}

static bool reads(const void *root, const Expr *expr) {
  return expr->kind == EXPR_VAR && is_inside(root, expr->base, expr->type);
}

bool xta_depends(const Stmt *stmt, const Stmt *before) {
  return expr_any(stmt->value, reads, expr_root(before->target));
}

// The local variables of statements. TChecker's live to the end of the update, also those of an
// `if`, and no two have one name; UPPAAL's stand first in a block and live as long as it.
static void add_locals(Writer *w, const Stmt *stmt) {
  for (; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_LOCAL) {
      xta_check_name(w, stmt->target->name, stmt->place);
      text_addf(w->text, "    int[-2147483648,2147483647] %s", stmt->target->name);
      if (stmt->target->type->kind == TYPE_ARRAY)
        text_addf(w->text, "[%u]", (unsigned)stmt->target->type->count);
      text_add(w->text, ";\n");
    }
    add_locals(w, stmt->body);
    add_locals(w, stmt->other);
  }
}

// Where a local variable comes to life.
static void add_local(Writer *w, const Stmt *stmt) {
  const char *name = stmt->target->name;
  if (stmt->target->type->kind == TYPE_ARRAY)
    text_addf(w->text, "for (each_%s : int[0,%u]) %s[each_%s] = 0;\n", name,
              (unsigned)stmt->target->type->count - 1, name, name);
  else {
    text_addf(w->text, "%s = ", name);
    if (stmt->value)
      xta_add_expr(w, stmt->value);
    text_add(w->text, stmt->value ? ";\n" : "0;\n");
  }
}

// The end of a trial where a value is not in the range of its variable.
static void add_exit(Writer *w, const Stmt *stmt, unsigned indent) {
  text_add(w->text, "if ((");
  xta_add_expr(w, stmt->value);
  text_addf(w->text, ") < %d || (", (int)stmt->target->type->min);
  xta_add_expr(w, stmt->value);
  text_addf(w->text, ") > %d)\n%*sreturn false;\n%*s", (int)stmt->target->type->max,
            (int)indent + 2, "", (int)indent, "");
}

// As a statement of C.
static void add_stmts(Writer *w, const Stmt *stmt, unsigned indent) {
  for (; stmt; stmt = stmt->next) {
    text_addf(w->text, "%*s", (int)indent, "");
    switch (stmt->kind) {
    case STMT_ASSIGN:
    case STMT_CLOCK_ASSIGN:
      if (w->is_trial && xta_can_leave(stmt))
        add_exit(w, stmt, indent);
      if (!w->is_trial || stmt->kind == STMT_ASSIGN)
        xta_add_assign(w, stmt);
      text_add(w->text, ";\n");
      break;
    case STMT_IF:
    case STMT_WHILE:
      text_add(w->text, stmt->kind == STMT_IF ? "if (" : "while (");
      xta_add_expr(w, stmt->value);
      text_add(w->text, ") {\n");
      add_stmts(w, stmt->body, indent + 2);
      text_addf(w->text, "%*s}", (int)indent, "");
      if (stmt->other) {
        text_add(w->text, " else {\n");
        add_stmts(w, stmt->other, indent + 2);
        text_addf(w->text, "%*s}", (int)indent, "");
      }
      text_add_char(w->text, '\n');
      break;
    case STMT_LOCAL:
      add_local(w, stmt);
      break;
    default:
      text_add(w->text, ";\n");
    }
  }
}

static bool sets(const Stmt *stmt, const Name *variable) {
  for (; stmt; stmt = stmt->next)
    if ((stmt->kind == STMT_ASSIGN &&
         is_inside(expr_root(stmt->target), variable->base, variable->type)) ||
        sets(stmt->body, variable) || sets(stmt->other, variable))
      return true;
  return false;
}

// The variables that statements set: as parameters, or as arguments.
static void add_set(Writer *w, const Stmt *stmts, bool as_parameters) {
  const char *separator = "";
  for (uint32_t i = 0; i < w->net->variables.size; i++) {
    const Name *variable = &w->net->variables.items[i];
    if (!sets(stmts, variable))
      continue;
    text_add(w->text, separator);
    separator = ", ";
    if (as_parameters)
      xta_add_variable(w, variable);
    else
      text_add(w->text, variable->name);
  }
}

// Whether an update leaves no range: it is tried on copies, which are parameters with the names
// of the variables.
static void add_trial(Writer *w, EdgeId id) {
  const Stmt *stmts = w->net->edges.items[id].update_stmts;
  text_addf(w->text, "  bool fits_%u(", (unsigned)id);
  add_set(w, stmts, true);
  text_add(w->text, ") {\n");
  add_locals(w, stmts);
  w->is_trial = true;
  add_stmts(w, stmts, 4);
  w->is_trial = false;
  text_add(w->text, "    return true;\n  }\n");
}

void xta_add_trial_call(Writer *w, const Edge *edge, const char *before) {
  text_addf(w->text, "%s fits_%u(", before, (unsigned)(edge - w->net->edges.items));
  add_set(w, edge->update_stmts, false);
  text_add(w->text, ")");
}

void xta_add_functions(Writer *w, ProcessId process) {
  for (EdgeId i = 0; i < w->net->edges.size; i++) {
    const Edge *edge = &w->net->edges.items[i];
    if (edge->process != process || xta_is_plain(edge->update_stmts))
      continue;
    text_addf(w->text, "  void update_%u() {\n", (unsigned)i);
    add_locals(w, edge->update_stmts);
    add_stmts(w, edge->update_stmts, 4);
    text_add(w->text, "  }\n");
    if (xta_can_any_leave(edge->update_stmts))
      add_trial(w, i);
  }
}
