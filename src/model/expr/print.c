#include "model/expr/print.h"

#include "model/expr/real.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How tightly each construct binds; an operand that binds less tightly than its place demands
// gets parentheses.
typedef enum Level {
  LEVEL_QUANTIFIER, // takes all that follows
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_BIT_OR,
  LEVEL_BIT_XOR,
  LEVEL_BIT_AND,
  LEVEL_EQUALITY,
  LEVEL_ORDER,
  LEVEL_MIN,
  LEVEL_SHIFT,
  LEVEL_ADD,
  LEVEL_MUL,
  LEVEL_UNARY,
  LEVEL_PRIMARY,
} Level;

typedef struct Operator {
  const char *text;
  Level level;
} Operator;

static const Operator operators[] = {
    [EXPR_ADD] = {"+", LEVEL_ADD},
    [EXPR_SUB] = {"-", LEVEL_ADD},
    [EXPR_MUL] = {"*", LEVEL_MUL},
    [EXPR_DIV] = {"/", LEVEL_MUL},
    [EXPR_MOD] = {"%", LEVEL_MUL},
    [EXPR_MIN] = {"<?", LEVEL_MIN},
    [EXPR_MAX] = {">?", LEVEL_MIN},
    [EXPR_BIT_AND] = {"&", LEVEL_BIT_AND},
    [EXPR_BIT_OR] = {"|", LEVEL_BIT_OR},
    [EXPR_BIT_XOR] = {"^", LEVEL_BIT_XOR},
    [EXPR_SHL] = {"<<", LEVEL_SHIFT},
    [EXPR_SHR] = {">>", LEVEL_SHIFT},
    [EXPR_EQ] = {"==", LEVEL_EQUALITY},
    [EXPR_NE] = {"!=", LEVEL_EQUALITY},
    [EXPR_LT] = {"<", LEVEL_ORDER},
    [EXPR_LE] = {"<=", LEVEL_ORDER},
    [EXPR_GT] = {">", LEVEL_ORDER},
    [EXPR_GE] = {">=", LEVEL_ORDER},
    [EXPR_AND] = {"&&", LEVEL_AND},
    [EXPR_OR] = {"||", LEVEL_OR},
    [EXPR_FORALL] = {"forall", LEVEL_QUANTIFIER},
    [EXPR_EXISTS] = {"exists", LEVEL_QUANTIFIER},
    [EXPR_SUM] = {"sum", LEVEL_QUANTIFIER},
};

static Level level_of(const Expr *expr) {
  switch (expr->kind) {
  case EXPR_CONST:
    return expr->value < 0 ? LEVEL_UNARY : LEVEL_PRIMARY;
  case EXPR_NEG:
  case EXPR_NOT:
    return LEVEL_UNARY;
  case EXPR_CLOCK_TEST:
    return operators[expr->op].level;
  case EXPR_DEADLOCK:
    return LEVEL_PRIMARY;
  case EXPR_REAL:
    return expr->real < 0 ? LEVEL_UNARY : LEVEL_PRIMARY;
  case EXPR_OF_INT:
    return level_of(expr->a);
  default:
    if (expr->kind >= EXPR_ADD && expr->kind <= EXPR_OR)
      return operators[expr->kind].level;
    if (expr->kind >= EXPR_FORALL && expr->kind <= EXPR_SUM)
      return LEVEL_QUANTIFIER;
    return LEVEL_PRIMARY;
  }
}

// Where to print, and what marks names.
typedef struct Printing {
  Text *text;
  const Marks *marks; // may be NULL
} Printing;

static void print_bare(const Printing *p, const Expr *expr);

static void print_at(const Printing *p, const Expr *expr, Level level) {
  if (level_of(expr) >= level) {
    print_bare(p, expr);
    return;
  }
  text_add_char(p->text, '(');
  print_bare(p, expr);
  text_add_char(p->text, ')');
}

static void print_expr(const Printing *p, const Expr *expr) {
  print_at(p, expr, LEVEL_QUANTIFIER);
}

static void print_name(const Printing *p, const char *name, const Expr *expr) {
  text_add(p->text, name);
  if (p->marks)
    p->marks->add(p->marks->context, p->text, expr);
}

static void print_binary(const Printing *p, const Expr *expr) {
  Level level = operators[expr->kind].level, left = level;
  // Comparisons do not chain: `a < b < c` means a < b && b < c in TChecker.
  if (level == LEVEL_EQUALITY || level == LEVEL_ORDER)
    level = left = LEVEL_MIN;
  else
    level++;
  print_at(p, expr->a, left);
  text_addf(p->text, " %s ", operators[expr->kind].text);
  print_at(p, expr->b, level);
}

// The name of the bound variable is known only where it is used.
static const Expr *find_bound(const Expr *expr, uint32_t local) {
  if (!expr || (expr->kind == EXPR_LOCAL && expr->base == local))
    return expr;
  const Expr *found = NULL;
  for (uint32_t k = 0; !found && k < expr_part_count(expr); k++)
    found = find_bound(expr_part(expr, k), local);
  return found;
}

static void print_quantifier(const Printing *p, const Expr *expr) {
  const Expr *bound = find_bound(expr->a, expr->base);
  text_addf(p->text, "%s (", operators[expr->kind].text);
  if (bound)
    print_bare(p, bound);
  else
    text_add_char(p->text, '_');
  text_addf(p->text, " : int[%d,%d]) ", (int)expr->low, (int)expr->high);
  print_at(p, expr->a, LEVEL_QUANTIFIER);
}

static void print_call(const Printing *p, const Expr *expr) {
  print_name(p, expr->function->name, expr);
  text_add_char(p->text, '(');
  for (uint32_t k = 0; k < expr->arg_count; k++) {
    if (k > 0)
      text_add(p->text, ", ");
    print_expr(p, expr->args[k]);
  }
  text_add_char(p->text, ')');
}

static void print_cond(const Printing *p, const Expr *expr) {
  text_add(p->text, "(if ");
  print_expr(p, expr->a);
  text_add(p->text, " then ");
  print_expr(p, expr->b);
  text_add(p->text, " else ");
  print_expr(p, expr->c);
  text_add_char(p->text, ')');
}

static void print_nested_assign(const Printing *p, const Expr *expr) {
  text_add_char(p->text, '(');
  print_expr(p, expr->a);
  text_add(p->text, " = ");
  print_expr(p, expr->b);
  text_add_char(p->text, ')');
}

static void print_clock_test(const Printing *p, const Expr *expr) {
  print_at(p, expr->a, LEVEL_PRIMARY);
  if (expr->b) {
    text_add(p->text, " - ");
    print_at(p, expr->b, LEVEL_PRIMARY);
  }
  text_addf(p->text, " %s ", operators[expr->op].text);
  print_at(p, expr->c, LEVEL_MIN);
}

// The fewest digits that give the same number, with a point or an exponent.
static void print_real(const Printing *p, double value) {
  char chars[40];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(chars, sizeof chars, "%.*g", digits, value);
    if (strtod(chars, NULL) == value)
      break;
  }
  for (char *c = chars; *c; c++)
    *c = *c == ',' ? '.' : *c; // of some locales
  text_add(p->text, chars);
  if (!strpbrk(chars, ".en"))
    text_add(p->text, ".0");
}

static void print_math(const Printing *p, const Expr *expr) {
  const Expr *args[] = {expr->a, expr->b, expr->c};
  text_addf(p->text, "%s(", real_functions[expr->value].name);
  for (uint32_t k = 0; k < real_functions[expr->value].count; k++) {
    text_add(p->text, k ? ", " : "");
    print_expr(p, args[k]);
  }
  text_add_char(p->text, ')');
}

static void print_bare(const Printing *p, const Expr *expr) {
  switch (expr->kind) {
  case EXPR_CONST:
    text_addf(p->text, "%lld",
              (long long)(expr->wide ? expr->wide : expr->value) * (expr->unit ? expr->unit : 1));
    break;
  case EXPR_VAR:
  case EXPR_CLOCK:
  case EXPR_AT:
    text_add(p->text, expr->name);
    break;
  case EXPR_LOCAL:
  case EXPR_TABLE:
  case EXPR_REMOTE:
    print_name(p, expr->name, expr);
    break;
  case EXPR_ADDRESS:
    print_expr(p, expr->a);
    break;
  case EXPR_ASSIGN:
    print_nested_assign(p, expr);
    break;
  case EXPR_INDEX:
    print_at(p, expr->a, LEVEL_PRIMARY);
    text_add_char(p->text, '[');
    print_expr(p, expr->b);
    text_add_char(p->text, ']');
    break;
  case EXPR_FIELD:
    print_at(p, expr->a, LEVEL_PRIMARY);
    text_addf(p->text, ".%s", expr->name);
    break;
  case EXPR_NEG: // not `--`, which is an operator of its own in UPPAAL
    text_add_char(p->text, '-');
    print_at(p, expr->a, LEVEL_PRIMARY);
    break;
  case EXPR_NOT:
    text_add_char(p->text, '!');
    print_at(p, expr->a, expr->a->kind == EXPR_NOT ? LEVEL_UNARY : LEVEL_PRIMARY);
    break;
  case EXPR_COND:
    print_cond(p, expr);
    break;
  case EXPR_CALL:
    print_call(p, expr);
    break;
  case EXPR_FORALL:
  case EXPR_EXISTS:
  case EXPR_SUM:
    print_quantifier(p, expr);
    break;
  case EXPR_CLOCK_TEST:
    print_clock_test(p, expr);
    break;
  case EXPR_DEADLOCK:
    text_add(p->text, "deadlock");
    break;
  case EXPR_REAL:
    print_real(p, expr->real);
    break;
  case EXPR_OF_INT:
  case EXPR_CLOCK_VALUE:
    print_bare(p, expr->a);
    break;
  case EXPR_MATH:
    print_math(p, expr);
    break;
  default:
    print_binary(p, expr);
  }
}

static void print_assign(const Printing *p, const Stmt *stmt) {
  print_expr(p, stmt->target);
  text_add(p->text, " = ");
  if (stmt->source)
    print_expr(p, stmt->source);
  if (stmt->source && stmt->value)
    text_add(p->text, " + ");
  if (stmt->value) // behind `y + ` it must not be torn apart
    print_at(p, stmt->value, stmt->source ? LEVEL_MUL : LEVEL_QUANTIFIER);
  if (!stmt->source && !stmt->value)
    text_add_char(p->text, '0');
}

static void print_local(const Printing *p, const Stmt *stmt) {
  text_add(p->text, "local ");
  print_bare(p, stmt->target);
  for (const Type *type = stmt->target->type; type->kind == TYPE_ARRAY; type = type->element)
    text_addf(p->text, "[%u]", (unsigned)type->count);
  if (stmt->value) {
    text_add(p->text, " = ");
    print_expr(p, stmt->value);
  }
}

static void print_stmts(const Printing *p, const Stmt *stmt);

static void print_compound(const Printing *p, const Stmt *stmt) {
  bool loop = stmt->kind == STMT_WHILE;
  text_add(p->text, loop ? "while " : "if ");
  print_expr(p, stmt->value);
  text_add(p->text, loop ? " do " : " then ");
  print_stmts(p, stmt->body);
  if (!loop && stmt->other) {
    text_add(p->text, " else ");
    print_stmts(p, stmt->other);
  }
  text_add(p->text, " end");
}

static void print_do(const Printing *p, const Stmt *stmt) {
  text_add(p->text, "do ");
  print_stmts(p, stmt->body);
  text_add(p->text, " while ");
  print_expr(p, stmt->value);
}

static void print_stmt(const Printing *p, const Stmt *stmt) {
  switch (stmt->kind) {
  case STMT_NOP:
    text_add(p->text, "nop");
    break;
  case STMT_ASSIGN:
  case STMT_CLOCK_ASSIGN:
    print_assign(p, stmt);
    break;
  case STMT_IF:
  case STMT_WHILE:
    print_compound(p, stmt);
    break;
  case STMT_LOCAL:
    print_local(p, stmt);
    break;
  case STMT_RETURN:
    text_add(p->text, stmt->value ? "return " : "return");
    if (stmt->value)
      print_expr(p, stmt->value);
    break;
  case STMT_CALL:
    print_expr(p, stmt->value);
    break;
  case STMT_DO:
    print_do(p, stmt);
    break;
  case STMT_ASSERT:
    text_add(p->text, "assert ");
    print_expr(p, stmt->value);
    break;
  }
}

static void print_stmts(const Printing *p, const Stmt *stmt) {
  if (!stmt)
    text_add(p->text, "nop"); // an empty body
  for (; stmt; stmt = stmt->next) {
    print_stmt(p, stmt);
    if (stmt->next)
      text_add(p->text, "; ");
  }
}

void expr_print(Text *text, const Expr *expr) { expr_print_marked(text, expr, NULL); }
void stmt_print(Text *text, const Stmt *stmt) { stmt_print_marked(text, stmt, NULL); }

void expr_print_marked(Text *text, const Expr *expr, const Marks *marks) {
  print_expr(&(Printing){text, marks}, expr);
}

void stmt_print_marked(Text *text, const Stmt *stmt, const Marks *marks) {
  print_stmts(&(Printing){text, marks}, stmt);
}
