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

static void print_bare(Text *text, const Expr *expr);

static void print_at(Text *text, const Expr *expr, Level level) {
  if (level_of(expr) >= level) {
    print_bare(text, expr);
    return;
  }
  text_add_char(text, '(');
  print_bare(text, expr);
  text_add_char(text, ')');
}

static void print_binary(Text *text, const Expr *expr) {
  Level level = operators[expr->kind].level, left = level;
  // Comparisons do not chain: `a < b < c` means a < b && b < c in TChecker.
  if (level == LEVEL_EQUALITY || level == LEVEL_ORDER)
    level = left = LEVEL_MIN;
  else
    level++;
  print_at(text, expr->a, left);
  text_addf(text, " %s ", operators[expr->kind].text);
  print_at(text, expr->b, level);
}

// The name of the bound variable is known only where it is used.
static const char *bound_name(const Expr *expr, uint32_t local) {
  if (!expr)
    return NULL;
  if (expr->kind == EXPR_LOCAL && expr->base == local)
    return expr->name;
  const char *name = NULL;
  for (uint32_t k = 0; !name && k < expr_part_count(expr); k++)
    name = bound_name(expr_part(expr, k), local);
  return name;
}

static void print_quantifier(Text *text, const Expr *expr) {
  const char *name = bound_name(expr->a, expr->base);
  text_addf(text, "%s (%s : int[%d,%d]) ", operators[expr->kind].text, name ? name : "_",
            (int)expr->low, (int)expr->high);
  print_at(text, expr->a, LEVEL_QUANTIFIER);
}

static void print_call(Text *text, const Expr *expr) {
  text_addf(text, "%s(", expr->function->name);
  for (uint32_t k = 0; k < expr->arg_count; k++) {
    if (k > 0)
      text_add(text, ", ");
    expr_print(text, expr->args[k]);
  }
  text_add_char(text, ')');
}

static void print_cond(Text *text, const Expr *expr) {
  text_add(text, "(if ");
  expr_print(text, expr->a);
  text_add(text, " then ");
  expr_print(text, expr->b);
  text_add(text, " else ");
  expr_print(text, expr->c);
  text_add_char(text, ')');
}

static void print_nested_assign(Text *text, const Expr *expr) {
  text_add_char(text, '(');
  expr_print(text, expr->a);
  text_add(text, " = ");
  expr_print(text, expr->b);
  text_add_char(text, ')');
}

static void print_clock_test(Text *text, const Expr *expr) {
  print_at(text, expr->a, LEVEL_PRIMARY);
  if (expr->b) {
    text_add(text, " - ");
    print_at(text, expr->b, LEVEL_PRIMARY);
  }
  text_addf(text, " %s ", operators[expr->op].text);
  print_at(text, expr->c, LEVEL_MIN);
}

// The fewest digits that give the same number, with a point or an exponent.
static void print_real(Text *text, double value) {
  char chars[40];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(chars, sizeof chars, "%.*g", digits, value);
    if (strtod(chars, NULL) == value)
      break;
  }
  for (char *c = chars; *c; c++)
    *c = *c == ',' ? '.' : *c; // of some locales
  text_add(text, chars);
  if (!strpbrk(chars, ".en"))
    text_add(text, ".0");
}

static void print_math(Text *text, const Expr *expr) {
  const Expr *args[] = {expr->a, expr->b, expr->c};
  text_addf(text, "%s(", real_functions[expr->value].name);
  for (uint32_t k = 0; k < real_functions[expr->value].count; k++) {
    text_add(text, k ? ", " : "");
    expr_print(text, args[k]);
  }
  text_add_char(text, ')');
}

static void print_bare(Text *text, const Expr *expr) {
  switch (expr->kind) {
  case EXPR_CONST:
    text_addf(text, "%lld",
              (long long)(expr->wide ? expr->wide : expr->value) * (expr->unit ? expr->unit : 1));
    break;
  case EXPR_VAR:
  case EXPR_LOCAL:
  case EXPR_CLOCK:
  case EXPR_TABLE:
  case EXPR_REMOTE:
  case EXPR_AT:
    text_add(text, expr->name);
    break;
  case EXPR_ADDRESS:
    expr_print(text, expr->a);
    break;
  case EXPR_ASSIGN:
    print_nested_assign(text, expr);
    break;
  case EXPR_INDEX:
    print_at(text, expr->a, LEVEL_PRIMARY);
    text_add_char(text, '[');
    expr_print(text, expr->b);
    text_add_char(text, ']');
    break;
  case EXPR_FIELD:
    print_at(text, expr->a, LEVEL_PRIMARY);
    text_addf(text, ".%s", expr->name);
    break;
  case EXPR_NEG: // not `--`, which is an operator of its own in UPPAAL
    text_add_char(text, '-');
    print_at(text, expr->a, LEVEL_PRIMARY);
    break;
  case EXPR_NOT:
    text_add_char(text, '!');
    print_at(text, expr->a, expr->a->kind == EXPR_NOT ? LEVEL_UNARY : LEVEL_PRIMARY);
    break;
  case EXPR_COND:
    print_cond(text, expr);
    break;
  case EXPR_CALL:
    print_call(text, expr);
    break;
  case EXPR_FORALL:
  case EXPR_EXISTS:
  case EXPR_SUM:
    print_quantifier(text, expr);
    break;
  case EXPR_CLOCK_TEST:
    print_clock_test(text, expr);
    break;
  case EXPR_DEADLOCK:
    text_add(text, "deadlock");
    break;
  case EXPR_REAL:
    print_real(text, expr->real);
    break;
  case EXPR_OF_INT:
  case EXPR_CLOCK_VALUE:
    print_bare(text, expr->a);
    break;
  case EXPR_MATH:
    print_math(text, expr);
    break;
  default:
    print_binary(text, expr);
  }
}

void expr_print(Text *text, const Expr *expr) { print_at(text, expr, LEVEL_QUANTIFIER); }

static void print_assign(Text *text, const Stmt *stmt) {
  expr_print(text, stmt->target);
  text_add(text, " = ");
  if (stmt->source)
    expr_print(text, stmt->source);
  if (stmt->source && stmt->value)
    text_add(text, " + ");
  if (stmt->value) // behind `y + ` it must not be torn apart
    print_at(text, stmt->value, stmt->source ? LEVEL_MUL : LEVEL_QUANTIFIER);
  if (!stmt->source && !stmt->value)
    text_add_char(text, '0');
}

static void print_local(Text *text, const Stmt *stmt) {
  text_addf(text, "local %s", stmt->target->name);
  for (const Type *type = stmt->target->type; type->kind == TYPE_ARRAY; type = type->element)
    text_addf(text, "[%u]", (unsigned)type->count);
  if (stmt->value) {
    text_add(text, " = ");
    expr_print(text, stmt->value);
  }
}

static void print_compound(Text *text, const Stmt *stmt) {
  bool loop = stmt->kind == STMT_WHILE;
  text_add(text, loop ? "while " : "if ");
  expr_print(text, stmt->value);
  text_add(text, loop ? " do " : " then ");
  stmt_print(text, stmt->body);
  if (!loop && stmt->other) {
    text_add(text, " else ");
    stmt_print(text, stmt->other);
  }
  text_add(text, " end");
}

static void print_do(Text *text, const Stmt *stmt) {
  text_add(text, "do ");
  stmt_print(text, stmt->body);
  text_add(text, " while ");
  expr_print(text, stmt->value);
}

static void print_stmt(Text *text, const Stmt *stmt) {
  switch (stmt->kind) {
  case STMT_NOP:
    text_add(text, "nop");
    break;
  case STMT_ASSIGN:
  case STMT_CLOCK_ASSIGN:
    print_assign(text, stmt);
    break;
  case STMT_IF:
  case STMT_WHILE:
    print_compound(text, stmt);
    break;
  case STMT_LOCAL:
    print_local(text, stmt);
    break;
  case STMT_RETURN:
    text_add(text, stmt->value ? "return " : "return");
    if (stmt->value)
      expr_print(text, stmt->value);
    break;
  case STMT_CALL:
    expr_print(text, stmt->value);
    break;
  case STMT_DO:
    print_do(text, stmt);
    break;
  case STMT_ASSERT:
    text_add(text, "assert ");
    expr_print(text, stmt->value);
    break;
  }
}

void stmt_print(Text *text, const Stmt *stmt) {
  if (!stmt)
    text_add(text, "nop"); // an empty body
  for (; stmt; stmt = stmt->next) {
    print_stmt(text, stmt);
    if (stmt->next)
      text_add(text, "; ");
  }
}
