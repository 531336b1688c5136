// Makers and folding, ranges, printing: random trees are printed and parsed back by the small
// parser below, which knows the net of trees.h.
#include "model/expr/expr.h"

#include "interpret.h"
#include "model/expr/print.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 20000 };

static int setup(void **state) {
  static Trees trees;
  trees_init(&trees, 11);
  *state = &trees;
  return 0;
}

static int teardown(void **state) {
  Trees *t = *state;
  trees_release(t);
  return t->mem.bytes == 0 ? 0 : -1;
}

// Parsing. One precedence table, highest last; comparisons do not chain.
typedef struct Parser {
  Trees *trees;
  const char *at;
} Parser;

static const struct {
  const char *text;
  ExprKind kind;
  int level;
} infix[] = {
    // Longer ones first.
    {"||", EXPR_OR, 1},    {"&&", EXPR_AND, 2},    {"==", EXPR_EQ, 6},     {"!=", EXPR_NE, 6},
    {"<=", EXPR_LE, 7},    {">=", EXPR_GE, 7},     {"<?", EXPR_MIN, 8},    {">?", EXPR_MAX, 8},
    {"<<", EXPR_SHL, 9},   {">>", EXPR_SHR, 9},    {"<", EXPR_LT, 7},      {">", EXPR_GT, 7},
    {"|", EXPR_BIT_OR, 3}, {"^", EXPR_BIT_XOR, 4}, {"&", EXPR_BIT_AND, 5}, {"+", EXPR_ADD, 10},
    {"-", EXPR_SUB, 10},   {"*", EXPR_MUL, 11},    {"/", EXPR_DIV, 11},    {"%", EXPR_MOD, 11},
};

static const char *const bound[] = {"i", "j", "h"};

static const Expr *parse(Parser *p, int level);

static bool accept(Parser *p, const char *text) {
  size_t length = strlen(text);
  while (*p->at == ' ')
    p->at++;
  if (strncmp(p->at, text, length) != 0)
    return false;
  if (isalpha((unsigned char)*text) && (isalnum((unsigned char)p->at[length])))
    return false;
  p->at += length;
  return true;
}

static void expect(Parser *p, const char *text) {
  if (!accept(p, text))
    fail_msg("expected '%s' before '%s'", text, p->at);
}

static int32_t parse_number(Parser *p) {
  char *end;
  long value = strtol(p->at, &end, 10);
  assert_ptr_not_equal(end, p->at);
  p->at = end;
  return (int32_t)value;
}

static const Expr *parse_suffixes(Parser *p, const Expr *e) {
  Trees *t = p->trees;
  for (;;) {
    if (accept(p, "[")) {
      e = expr_index(&t->arena, (Place){0}, e, parse(p, 0));
      expect(p, "]");
    } else if (e->type->kind == TYPE_STRUCT && accept(p, ".")) {
      e = expr_field(&t->arena, (Place){0}, e, type_field(e->type, accept(p, "p") ? "p" : "q"));
      if (strcmp(e->name, "q") == 0)
        expect(p, "q");
    } else {
      return e;
    }
  }
}

static const Expr *parse_call(Parser *p, uint32_t id) {
  const Expr *args[2] = {NULL, NULL};
  const Function *f = &p->trees->functions[id];
  expect(p, "(");
  for (uint32_t k = 0; k < f->param_count; k++) {
    if (k > 0)
      expect(p, ",");
    args[k] = parse(p, 0);
  }
  expect(p, ")");
  return expr_call(&p->trees->arena, (Place){0}, f, args);
}

static const Expr *parse_name(Parser *p) {
  static const char *const variables[] = {"v0", "v1", "v2", "v3"};
  static const char *const functions[] = {"f0", "f1", "f2"};
  static const char *const locations[] = {"P.A", "P.B", "P.C", "P.D"};
  Trees *t = p->trees;
  const Type *clock = type_clock(&t->arena);
  for (uint32_t k = 0; k < 4; k++) {
    if (accept(p, variables[k]))
      return trees_name(t, EXPR_VAR, variables[k], t->integers[k], k);
    if (accept(p, locations[k]))
      return expr_at(&t->arena, (Place){0}, locations[k], TREES_LOCATION, (int32_t)k);
    if (k < 3 && accept(p, functions[k]))
      return parse_call(p, k);
    if (k < 3 && accept(p, bound[k]))
      return trees_name(t, EXPR_LOCAL, bound[k], t->integers[0], TREES_BOUND + k);
  }
  if (accept(p, "a"))
    return trees_name(t, EXPR_VAR, "a", t->array, TREES_ARRAY);
  if (accept(p, "r"))
    return trees_name(t, EXPR_VAR, "r", t->records, TREES_RECORDS);
  if (accept(p, "k"))
    return trees_name(t, EXPR_LOCAL, "k", t->locals, 2);
  if (accept(p, "l"))
    return trees_name(t, EXPR_LOCAL, "l", t->integers[3], 0);
  if (accept(p, "m"))
    return trees_name(t, EXPR_LOCAL, "m", t->integers[3], 1);
  if (accept(p, "n"))
    return trees_name(t, EXPR_LOCAL, "n", t->digit, 5);
  if (accept(p, "x"))
    return trees_name(t, EXPR_CLOCK, "x", clock, 1);
  if (accept(p, "y"))
    return trees_name(t, EXPR_CLOCK, "y", clock, 2);
  expect(p, "z");
  return trees_name(t, EXPR_CLOCK, "z", t->clocks, 3);
}

static const Expr *parse_quantifier(Parser *p, ExprKind kind) {
  Trees *t = p->trees;
  expect(p, "(");
  if (!accept(p, "_"))
    expect(p, bound[t->nesting]);
  expect(p, ": int[");
  int32_t low = parse_number(p);
  expect(p, ",");
  int32_t high = parse_number(p);
  expect(p, "])");
  uint32_t local = TREES_BOUND + t->nesting++;
  const Expr *body = parse(p, 0);
  t->nesting--;
  return expr_quantifier(&t->arena, (Place){0}, kind, local, low, high, body);
}

static const Expr *parse_parenthesis(Parser *p) {
  const Expr *a = NULL, *b = NULL;
  bool conditional = accept(p, "if");
  a = parse(p, 0);
  if (conditional) {
    expect(p, "then");
    b = parse(p, 0);
    expect(p, "else");
    a = expr_cond(&p->trees->arena, (Place){0}, a, b, parse(p, 0));
  }
  expect(p, ")");
  return a;
}

static const Expr *parse_unary(Parser *p) {
  Arena *arena = &p->trees->arena;
  while (*p->at == ' ')
    p->at++;
  if (isdigit((unsigned char)*p->at) || (*p->at == '-' && isdigit((unsigned char)p->at[1])))
    return expr_const(arena, (Place){0}, parse_number(p));
  if (accept(p, "-"))
    return expr_unary(arena, (Place){0}, EXPR_NEG, parse_unary(p));
  if (accept(p, "!"))
    return expr_unary(arena, (Place){0}, EXPR_NOT, parse_unary(p));
  if (accept(p, "("))
    return parse_parenthesis(p);
  if (accept(p, "forall"))
    return parse_quantifier(p, EXPR_FORALL);
  if (accept(p, "exists"))
    return parse_quantifier(p, EXPR_EXISTS);
  if (accept(p, "sum"))
    return parse_quantifier(p, EXPR_SUM);
  return parse_suffixes(p, parse_name(p));
}

static const Expr *combine(Parser *p, ExprKind kind, const Expr *a, const Expr *b) {
  Arena *arena = &p->trees->arena;
  if (a->type->kind != TYPE_CLOCK && a->kind != EXPR_SUB)
    return expr_binary(arena, (Place){0}, kind, a, b);
  if (a->kind == EXPR_SUB && a->a->type->kind == TYPE_CLOCK) // x - y, made below
    return expr_clock_test(arena, (Place){0}, a->a, a->b, kind, b);
  if (a->type->kind == TYPE_CLOCK && kind != EXPR_SUB)
    return expr_clock_test(arena, (Place){0}, a, NULL, kind, b);
  return expr_binary(arena, (Place){0}, kind, a, b);
}

// The index of the operator that comes next and binds at least so tightly, or -1.
static int next_infix(const Parser *p, int level) {
  for (size_t k = 0; k < sizeof infix / sizeof *infix; k++) {
    Parser ahead = *p;
    if (accept(&ahead, infix[k].text))
      return infix[k].level >= level ? (int)k : -1;
  }
  return -1;
}

static const Expr *parse(Parser *p, int level) {
  const Expr *left = parse_unary(p);
  for (int k; (k = next_infix(p, level)) >= 0;) {
    expect(p, infix[k].text);
    left = combine(p, infix[k].kind, left, parse(p, infix[k].level + 1));
  }
  return left;
}

static bool same(const Expr *a, const Expr *b) {
  if (!a || !b)
    return a == b;
  if (a->kind != b->kind || a->op != b->op || a->value != b->value || a->base != b->base ||
      a->low != b->low || a->high != b->high || a->function != b->function ||
      a->arg_count != b->arg_count || (a->name && strcmp(a->name, b->name) != 0))
    return false;
  for (uint32_t k = 0; k < a->arg_count; k++)
    if (!same(a->args[k], b->args[k]))
      return false;
  return same(a->a, b->a) && same(a->b, b->b) && same(a->c, b->c);
}

static void test_print_parses_back(void **state) {
  Trees *t = *state;
  Text text = {.mem = &t->mem};
  for (int round = 0; round < ROUNDS; round++) {
    const Expr *e = round % 2 ? trees_guard(t, 4) : trees_int(t, 4);
    text_clear(&text);
    expr_print(&text, e);
    Parser parser = {.trees = t, .at = text_chars(&text)};
    const Expr *back = parse(&parser, 0);
    if (*parser.at || !same(e, back)) {
      Text other = {.mem = &t->mem};
      expr_print(&other, back);
      fail_msg("%s\nparsed as %s\nrest %s", text_chars(&text), text_chars(&other), parser.at);
    }
    trees_clear(t);
  }
  text_release(&text);
}

// Shorthands over the variables v0 .. v3.
static const Expr *num(Trees *t, int32_t value) {
  return expr_const(&t->arena, (Place){0}, value);
}
static const Expr *var(Trees *t, uint32_t k) {
  static const char *const names[] = {"v0", "v1", "v2", "v3"};
  return trees_name(t, EXPR_VAR, names[k], t->integers[k], k);
}
static const Expr *bin(Trees *t, ExprKind kind, const Expr *a, const Expr *b) {
  return expr_binary(&t->arena, (Place){0}, kind, a, b);
}
static const Expr *un(Trees *t, ExprKind kind, const Expr *a) {
  return expr_unary(&t->arena, (Place){0}, kind, a);
}
static const Expr *test(Trees *t, ExprKind op, int32_t limit) {
  const Expr *x = trees_name(t, EXPR_CLOCK, "x", type_clock(&t->arena), 1);
  return expr_clock_test(&t->arena, (Place){0}, x, NULL, op, num(t, limit));
}

static void assert_prints(Trees *t, const Expr *e, const char *expected) {
  Text text = {.mem = &t->mem};
  expr_print(&text, e);
  assert_string_equal(text_chars(&text), expected);
  text_release(&text);
}

static void test_print(void **state) {
  Trees *t = *state;
  const Expr *a = var(t, 0), *b = var(t, 1), *c = var(t, 2);
  assert_prints(t, bin(t, EXPR_SUB, a, bin(t, EXPR_SUB, b, c)), "v0 - (v1 - v2)");
  assert_prints(t, bin(t, EXPR_SUB, bin(t, EXPR_SUB, a, b), c), "v0 - v1 - v2");
  assert_prints(t, bin(t, EXPR_MUL, bin(t, EXPR_ADD, a, b), c), "(v0 + v1) * v2");
  assert_prints(t, bin(t, EXPR_ADD, a, bin(t, EXPR_MUL, b, c)), "v0 + v1 * v2");
  assert_prints(t, bin(t, EXPR_LT, bin(t, EXPR_LT, a, b), c), "(v0 < v1) < v2");
  assert_prints(t, bin(t, EXPR_EQ, a, bin(t, EXPR_LT, b, c)), "v0 == (v1 < v2)");
  assert_prints(t, bin(t, EXPR_SUB, a, num(t, -3)), "v0 - -3");
  assert_prints(t, un(t, EXPR_NEG, un(t, EXPR_NEG, a)), "-(-v0)");
  assert_prints(t, un(t, EXPR_NEG, bin(t, EXPR_MUL, a, b)), "-(v0 * v1)");
  assert_prints(t, un(t, EXPR_NOT, bin(t, EXPR_EQ, a, b)), "!(v0 == v1)");
  assert_prints(t, un(t, EXPR_NOT, un(t, EXPR_NOT, a)), "!!v0");
  assert_prints(t, bin(t, EXPR_OR, bin(t, EXPR_AND, a, b), c), "v0 && v1 || v2");
  assert_prints(t, bin(t, EXPR_AND, bin(t, EXPR_OR, a, b), c), "(v0 || v1) && v2");
  assert_prints(t, bin(t, EXPR_AND, test(t, EXPR_GE, -3), a), "x >= -3 && v0");
  assert_prints(t, expr_cond(&t->arena, (Place){0}, a, b, c), "(if v0 then v1 else v2)");
  const Expr *x = trees_name(t, EXPR_CLOCK, "x", type_clock(&t->arena), 1);
  const Expr *z = trees_name(t, EXPR_CLOCK, "z", t->clocks, 3);
  const Expr *zi = expr_index(&t->arena, (Place){0}, z, bin(t, EXPR_ADD, a, b));
  const Expr *sum = bin(t, EXPR_ADD, a, num(t, 1));
  const Expr *i = trees_name(t, EXPR_LOCAL, "i", t->integers[0], 6);
  const Expr *args[] = {a, i}, *call = expr_call(&t->arena, (Place){0}, &t->functions[0], args);
  const Expr *all = expr_quantifier(&t->arena, (Place){0}, EXPR_FORALL, 6, -1, 2, call);
  assert_prints(t, all, "forall (i : int[-1,2]) f0(v0, i)");
  assert_prints(t, bin(t, EXPR_AND, all, b), "(forall (i : int[-1,2]) f0(v0, i)) && v1");
  assert_prints(t, expr_clock_test(&t->arena, (Place){0}, x, zi, EXPR_LT, sum),
                "x - z[v0 + v1] < v0 + 1");
}

static void test_print_stmts(void **state) {
  Trees *t = *state;
  Text text = {.mem = &t->mem};
  const Expr *a = var(t, 0), *one = num(t, 1);
  const Expr *x = trees_name(t, EXPR_CLOCK, "x", type_clock(&t->arena), 1);
  const Expr *y = trees_name(t, EXPR_CLOCK, "y", type_clock(&t->arena), 2);
  const Expr *k = trees_name(t, EXPR_LOCAL, "k", t->locals, 2);
  const Expr *l = trees_name(t, EXPR_LOCAL, "l", t->integers[3], 0);
  const Expr *call = expr_call(&t->arena, (Place){0}, &t->functions[3], &a);
  Stmt *stmts[] = {
      trees_stmt(t, STMT_LOCAL, l, NULL, one),
      trees_stmt(t, STMT_LOCAL, k, NULL, NULL),
      trees_stmt(t, STMT_WHILE, NULL, NULL, bin(t, EXPR_LT, l, a)),
      trees_stmt(t, STMT_IF, NULL, NULL, a),
      trees_stmt(t, STMT_IF, NULL, NULL, a),
      trees_stmt(t, STMT_CLOCK_ASSIGN, x, NULL, one),
      trees_stmt(t, STMT_CLOCK_ASSIGN, x, y, NULL),
      trees_stmt(t, STMT_CLOCK_ASSIGN, x, y, bin(t, EXPR_SUB, a, one)),
      trees_stmt(t, STMT_CLOCK_ASSIGN, x, NULL, NULL),
      trees_stmt(t, STMT_NOP, NULL, NULL, NULL),
      trees_stmt(t, STMT_CALL, NULL, NULL, call),
      trees_stmt(t, STMT_RETURN, NULL, NULL, a),
      trees_stmt(t, STMT_RETURN, NULL, NULL, NULL),
  };
  stmts[2]->body = trees_stmt(t, STMT_ASSIGN, l, NULL, bin(t, EXPR_ADD, l, one));
  stmts[3]->body = trees_stmt(t, STMT_ASSIGN, a, NULL, one);
  stmts[3]->other = trees_stmt(t, STMT_ASSIGN, a, NULL, l);
  for (size_t i = 0; i + 1 < sizeof stmts / sizeof *stmts; i++)
    stmts[i]->next = stmts[i + 1];
  stmt_print(&text, stmts[0]);
  assert_string_equal(text_chars(&text),
                      "local l = 1; local k[3]; while l < v0 do l = l + 1 end; "
                      "if v0 then v0 = 1 else v0 = l end; if v0 then nop end; "
                      "x = 1; x = y; x = y + (v0 - 1); x = 0; nop; f3(v0); return v0; return");
  text_release(&text);
}

static void assert_constant(const Expr *e, int32_t expected) {
  int32_t value;
  assert_true(expr_is_const(e, &value));
  assert_int_equal(value, expected);
}

static void assert_open(const Expr *e) {
  int32_t value;
  assert_false(expr_is_const(e, &value));
}

static void test_folding(void **state) {
  Trees *t = *state;
  const Expr *v = var(t, 0), *c = bin(t, EXPR_LT, v, num(t, 3));
  assert_constant(un(t, EXPR_NEG, num(t, 3)), -3);
  assert_open(un(t, EXPR_NEG, num(t, INT32_MIN))); // an error when run
  assert_constant(un(t, EXPR_NOT, num(t, 3)), 0);
  assert_constant(un(t, EXPR_NOT, num(t, 1)), 0);
  assert_constant(un(t, EXPR_NOT, num(t, 0)), 1);
  assert_open(bin(t, EXPR_DIV, num(t, 1), num(t, 0)));
  assert_open(bin(t, EXPR_ADD, num(t, INT32_MAX), num(t, 1)));
  // Logical operators: only what the left side decides.
  assert_constant(bin(t, EXPR_AND, num(t, 0), v), 0);
  assert_constant(bin(t, EXPR_OR, num(t, 2), v), 1);
  assert_open(bin(t, EXPR_AND, v, num(t, 0)));
  assert_open(bin(t, EXPR_OR, v, num(t, 1)));
  assert_constant(bin(t, EXPR_AND, num(t, 2), num(t, 4)), 1);
  assert_constant(bin(t, EXPR_OR, num(t, 0), num(t, 0)), 0);
  assert_true(same(bin(t, EXPR_AND, num(t, 1), c), c));
  assert_true(same(bin(t, EXPR_AND, c, num(t, 1)), c));
  assert_true(same(bin(t, EXPR_OR, num(t, 0), c), c));
  assert_true(same(bin(t, EXPR_OR, c, num(t, 0)), c));
  assert_int_equal(bin(t, EXPR_AND, num(t, 1), v)->kind, EXPR_AND); // v may be 5, the result not
  assert_true(same(expr_cond(&t->arena, (Place){0}, num(t, 1), v, c), v));
  assert_true(same(expr_cond(&t->arena, (Place){0}, num(t, 0), v, c), c));
  Arena *arena = &t->arena;
  Place none = {0};
  assert_constant(expr_quantifier(arena, none, EXPR_FORALL, 6, 3, 2, v), 1);
  assert_constant(expr_quantifier(arena, none, EXPR_EXISTS, 6, 3, 2, v), 0);
  assert_constant(expr_quantifier(arena, none, EXPR_SUM, 6, 3, 2, v), 0);
  assert_constant(expr_quantifier(arena, none, EXPR_SUM, 6, 2, 4, num(t, 5)), 15);
  assert_constant(expr_quantifier(arena, none, EXPR_FORALL, 6, 2, 4, num(t, 0)), 0);
  assert_constant(expr_quantifier(arena, none, EXPR_EXISTS, 6, 2, 4, num(t, 7)), 1);
  assert_constant(expr_quantifier(arena, none, EXPR_EXISTS, 6, 2, 2, num(t, 1)), 1);
  assert_constant(expr_quantifier(arena, none, EXPR_EXISTS, 6, 2, 2, num(t, 0)), 0);
  assert_constant(expr_quantifier(arena, none, EXPR_FORALL, 6, 2, 2, num(t, 0)), 0);
  assert_open(expr_quantifier(arena, none, EXPR_FORALL, 6, 2, 2, v));
  assert_open(expr_quantifier(arena, none, EXPR_SUM, 6, INT32_MIN, INT32_MAX, num(t, 5)));
}

static void test_types(void **state) {
  Trees *t = *state;
  const Expr *v = var(t, 0), *c = bin(t, EXPR_LT, v, num(t, 3));
  assert_true(c->type->is_bool);
  assert_true(un(t, EXPR_NOT, v)->type->is_bool);
  assert_true(test(t, EXPR_LT, 3)->type->is_bool);
  assert_false(bin(t, EXPR_ADD, v, v)->type->is_bool);
  assert_true(expr_cond(&t->arena, (Place){0}, v, c, c)->type->is_bool);
  assert_ptr_equal(expr_cond(&t->arena, (Place){0}, v, v, v)->type, v->type);
  assert_int_equal(expr_cond(&t->arena, (Place){0}, v, v, var(t, 1))->type->min, INT32_MIN);
  assert_false(expr_cond(&t->arena, (Place){0}, v, c, v)->type->is_bool);
  assert_false(expr_cond(&t->arena, (Place){0}, v, v, c)->type->is_bool);
  assert_true(expr_quantifier(&t->arena, (Place){0}, EXPR_EXISTS, 6, 0, 2, v)->type->is_bool);
  assert_false(expr_quantifier(&t->arena, (Place){0}, EXPR_SUM, 6, 0, 2, v)->type->is_bool);
  assert_ptr_equal(expr_call(&t->arena, (Place){0}, &t->functions[3], &v)->type,
                   type_void(&t->arena));
}

static void test_guard_flaw(void **state) {
  Trees *t = *state;
  Place none = {0};
  const Expr *v = var(t, 0), *lt = test(t, EXPR_LT, 3), *ne = test(t, EXPR_NE, 3);
  assert_true(expr_has_clock_test(bin(t, EXPR_OR, v, lt)));
  assert_false(expr_has_clock_test(bin(t, EXPR_OR, v, v)));
  assert_null(expr_guard_flaw(v));
  assert_null(expr_guard_flaw(bin(t, EXPR_AND, lt, lt)));
  assert_null(expr_guard_flaw(bin(t, EXPR_OR, v, bin(t, EXPR_AND, lt, lt))));
  assert_null(expr_guard_flaw(expr_quantifier(&t->arena, none, EXPR_FORALL, 6, 0, 3, lt)));
  assert_null(expr_guard_flaw(expr_cond(&t->arena, none, v, lt, v)));
  assert_ptr_equal(expr_guard_flaw(bin(t, EXPR_AND, v, ne)), ne);
  const Expr *both = bin(t, EXPR_OR, lt, bin(t, EXPR_AND, v, lt));
  assert_ptr_equal(expr_guard_flaw(bin(t, EXPR_AND, v, both)), both);
  const Expr *negated = un(t, EXPR_NOT, lt);
  assert_ptr_equal(expr_guard_flaw(bin(t, EXPR_OR, v, negated)), negated);
  const Expr *exists = expr_quantifier(&t->arena, none, EXPR_EXISTS, 6, 0, 3, lt);
  assert_ptr_equal(expr_guard_flaw(exists), exists);
  assert_ptr_equal(expr_guard_flaw(expr_cond(&t->arena, none, lt, v, v)), lt);
  const Expr *args[] = {v, lt};
  const Expr *call = expr_call(&t->arena, none, &t->functions[0], args);
  assert_ptr_equal(expr_guard_flaw(call), call);
  const Expr *equal = bin(t, EXPR_EQ, lt, num(t, 1));
  assert_ptr_equal(expr_guard_flaw(equal), equal);
}

// A flawed guard is no crash but an error, at the place of the flaw.
static void test_flawed_guards_fail(void **state) {
  Trees *t = *state;
  Place none = {0};
  const Expr *v = var(t, 0), *lt = test(t, EXPR_LT, 3);
  const Expr *flawed[] = {
      test(t, EXPR_NE, 3),
      un(t, EXPR_NOT, lt),
      bin(t, EXPR_OR, lt, lt),
      bin(t, EXPR_EQ, lt, num(t, 1)),
      expr_quantifier(&t->arena, none, EXPR_EXISTS, 6, 0, 3, lt),
      expr_quantifier(&t->arena, none, EXPR_SUM, 6, 0, 3, lt),
      expr_cond(&t->arena, none, lt, v, v),
      trees_name(t, EXPR_CLOCK, "x", type_clock(&t->arena), 1),
  };
  int32_t slots[TREES_SLOTS] = {0};
  ClockTests tests = {0};
  for (size_t k = 0; k < sizeof flawed / sizeof *flawed; k++) {
    Guard guard = code_guard(&t->arena, flawed[k], TREES_LOCALS);
    assert_int_equal(vm_guard(&t->vm, &guard, slots, &tests), VM_ERROR);
    assert_non_null(strstr(t->vm.error, "clock"));
  }
  vec_release(&t->mem, &tests);
}

static void assert_range(const Expr *e, int64_t low, int64_t high) {
  Range range = expr_range(e);
  assert_int_equal(range.low, low);
  assert_int_equal(range.high, high);
}

static void test_ranges(void **state) {
  Trees *t = *state;
  const Expr *digit = var(t, 0), *sign = var(t, 1), *large = var(t, 2), *any = var(t, 3);
  assert_range(num(t, 7), 7, 7);
  assert_range(digit, 0, 5);
  assert_range(bin(t, EXPR_ADD, digit, sign), -3, 8);
  assert_range(bin(t, EXPR_SUB, digit, sign), -3, 8);
  assert_range(bin(t, EXPR_MUL, digit, sign), -15, 15);
  assert_range(bin(t, EXPR_MUL, large, large), INT32_MIN, INT32_MAX);
  assert_range(un(t, EXPR_NEG, digit), -5, 0);
  assert_range(un(t, EXPR_NEG, any), INT32_MIN, INT32_MAX); // -INT32_MIN may wrap around
  assert_range(bin(t, EXPR_DIV, large, sign), -1000000, 1000000);
  assert_range(bin(t, EXPR_DIV, large, num(t, 10)), -100000, 100000);
  assert_range(bin(t, EXPR_DIV, digit, num(t, -2)), -2, 0);
  assert_range(bin(t, EXPR_DIV, any, num(t, 0)), 0, 0);
  assert_range(bin(t, EXPR_MOD, large, num(t, -10)), -9, 9);
  assert_range(bin(t, EXPR_MOD, digit, large), 0, 5);
  assert_range(bin(t, EXPR_MOD, any, digit), -4, 4);
  assert_range(bin(t, EXPR_MOD, any, num(t, 0)), 0, 0);
  assert_range(bin(t, EXPR_MIN, digit, sign), -3, 3);
  assert_range(bin(t, EXPR_MAX, digit, sign), 0, 5);
  assert_range(bin(t, EXPR_BIT_AND, digit, any), 0, 5);
  assert_range(bin(t, EXPR_BIT_AND, any, digit), 0, 5);
  assert_range(bin(t, EXPR_BIT_AND, digit, num(t, 3)), 0, 3);
  assert_range(bin(t, EXPR_BIT_OR, digit, num(t, 3)), 0, 7);
  assert_range(bin(t, EXPR_BIT_XOR, digit, sign), -8, 7);
  assert_range(bin(t, EXPR_SHL, digit, num(t, 2)), 0, 20);
  assert_range(bin(t, EXPR_SHR, sign, digit), -3, 3);
  assert_range(bin(t, EXPR_SHR, any, num(t, 32)), 0, 0);
  assert_range(bin(t, EXPR_LT, digit, sign), 0, 1);
  assert_range(expr_cond(&t->arena, (Place){0}, digit, num(t, 9), sign), -3, 9);
  assert_range(expr_quantifier(&t->arena, (Place){0}, EXPR_SUM, 6, 1, 3, sign), -9, 9);
  assert_range(expr_quantifier(&t->arena, (Place){0}, EXPR_SUM, 6, INT32_MIN, INT32_MAX, sign),
               INT32_MIN, INT32_MAX);
  const Expr *args[] = {digit, digit};
  assert_range(expr_call(&t->arena, (Place){0}, &t->functions[0], args), -100, 100);
  const Expr *a = trees_name(t, EXPR_VAR, "a", t->array, TREES_ARRAY);
  assert_range(expr_index(&t->arena, (Place){0}, a, any), -2, 7);
  assert_range(a, INT32_MIN, INT32_MAX);
}

// Exhaustive over small intervals: each value of each operator is in the range.
static void test_small_ranges(void **state) {
  Trees *t = *state;
  for (int round = 0; round < 4000; round++) {
    int a = random_between(&t->random, -9, 9), b = random_between(&t->random, a, a + 6);
    int c = random_between(&t->random, -9, 9), d = random_between(&t->random, c, c + 6);
    const Expr *x = trees_name(t, EXPR_LOCAL, "l", type_int(&t->arena, a, b), 0);
    const Expr *y = trees_name(t, EXPR_LOCAL, "m", type_int(&t->arena, c, d), 1);
    for (ExprKind kind = EXPR_ADD; kind <= EXPR_GE; kind++) {
      static Walk walk;
      const Expr *e = bin(t, kind, x, y);
      Range range = expr_range(e);
      for (int k = 0; k < (b - a + 1) * (d - c + 1); k++) {
        int32_t frame[TREES_LOCALS] = {a + k % (b - a + 1), c + k / (b - a + 1)};
        walk_init(&walk, t, NULL, frame, NULL);
        int32_t value = walk_value(&walk, e);
        if (walk.result == VM_TRUE)
          assert_true(range.low <= value && value <= range.high);
      }
    }
    trees_clear(t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_folding, setup, teardown),
      cmocka_unit_test_setup_teardown(test_types, setup, teardown),
      cmocka_unit_test_setup_teardown(test_guard_flaw, setup, teardown),
      cmocka_unit_test_setup_teardown(test_flawed_guards_fail, setup, teardown),
      cmocka_unit_test_setup_teardown(test_ranges, setup, teardown),
      cmocka_unit_test_setup_teardown(test_small_ranges, setup, teardown),
      cmocka_unit_test_setup_teardown(test_print, setup, teardown),
      cmocka_unit_test_setup_teardown(test_print_stmts, setup, teardown),
      cmocka_unit_test_setup_teardown(test_print_parses_back, setup, teardown),
  };
  return cmocka_run_group_tests_name("expr", tests, NULL, NULL);
}
