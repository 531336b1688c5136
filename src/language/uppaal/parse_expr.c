// Expressions. Binary operators are parsed by precedence climbing over one table.
#include "language/uppaal/parser.h"

#include <float.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

Tree *parse_node(Parser *p, NodeKind kind, Place place) {
  Tree *node = ARENA_NEW(p->arena, Tree);
  node->kind = kind;
  node->place = place;
  return node;
}

static uint16_t deeper(const Tree *node, uint16_t depth) {
  return node && node->depth > depth ? node->depth : depth;
}

// Sets the depth, which is limited: later stages walk trees recursively.
static Tree *finish(Parser *p, Tree *node) {
  uint16_t depth = deeper(node->a, 0);
  depth = deeper(node->c, depth);
  for (const Tree *b = node->b; b; b = b->next)
    depth = deeper(b, depth);
  node->depth = (uint16_t)(depth + 1);
  if (node->depth > PARSER_MAX_TREE)
    parser_fail(p, node->place, "this expression is nested more than %d levels deep",
                PARSER_MAX_TREE);
  return node;
}

static Tree *binary(Parser *p, NodeKind kind, Place place, ExprKind op, const Tree *a,
                    const Tree *b) {
  Tree *node = parse_node(p, kind, place);
  node->op = op;
  node->a = a;
  node->b = b;
  return finish(p, node);
}

static Tree *error_node(Parser *p) { return parse_node(p, NODE_NUMBER, parser_place(p)); }

static void append(Tree **first, Tree **last, Tree *node) {
  if (*last)
    (*last)->next = node;
  else
    *first = node;
  *last = node;
}

static Tree *number(Parser *p) {
  Tree *node = parse_node(p, NODE_NUMBER, parser_place(p));
  if (p->token.value > INT32_MAX)
    parser_fail(p, node->place, "this number is larger than 2147483647");
  node->value = (int32_t)p->token.value;
  parser_next(p);
  return node;
}

// The text of the token. strtod wants the decimal point of the locale.
static Tree *real_number(Parser *p) {
  Tree *node = parse_node(p, NODE_DOUBLE, parser_place(p));
  const char *point = localeconv()->decimal_point;
  Text text = {.mem = p->arena->mem};
  for (uint32_t k = 0; k < p->token.length; k++) {
    const char c = p->source->text[p->token.offset + k];
    if (c == '.')
      text_add(&text, point);
    else
      text_add_char(&text, c);
  }
  node->real = strtod(text_chars(&text), NULL);
  text_release(&text);
  if (node->real > DBL_MAX)
    parser_fail(p, node->place, "this number is larger than the largest `double`");
  parser_next(p);
  return node;
}

static Tree *truth(Parser *p) {
  Tree *node = parse_node(p, NODE_NUMBER, parser_place(p));
  node->value = parser_at_word(p, WORD_true);
  node->is_bool = true;
  parser_next(p);
  return node;
}

// ("forall" | "exists" | "sum") "(" NAME ":" type ")" expr
static Tree *quantifier(Parser *p) {
  Tree *node = parse_node(p, NODE_QUANTIFY, parser_place(p));
  node->op = parser_at_word(p, WORD_forall)   ? EXPR_FORALL
             : parser_at_word(p, WORD_exists) ? EXPR_EXISTS
                                              : EXPR_SUM;
  parser_next(p);
  parser_expect(p, '(', "`(`");
  node->var = parse_binding(p, "the name of the bound variable");
  parser_expect(p, ')', "`)`");
  node->a = parse_expr(p);
  return finish(p, node);
}

static bool at_sum(const Parser *p) {
  return parser_at_word(p, WORD_sum) && parser_ahead(p, 1)->kind == '(' &&
         parser_ahead(p, 2)->kind == UT_NAME && parser_ahead(p, 3)->kind == ':';
}

// "{" [ [NAME ":"] value { "," ... } ] "}", of an initialiser
static Tree *braces(Parser *p) {
  Tree *node = parse_node(p, NODE_LIST, parser_place(p)), *first = NULL, *last = NULL;
  parser_next(p);
  while (!parser_at(p, '}') && !p->panic) {
    const char *name = NULL;
    if (parser_at_name(p) && parser_ahead(p, 1)->kind == ':') {
      name = parser_name(p, "a field");
      parser_next(p);
    }
    const Tree *value = parse_expr(p);
    Tree *item = ARENA_NEW(p->arena, Tree);
    *item = *value;
    item->next = NULL;
    if (name) { // the name of the field, apart from that of the value
      Tree *field = parse_node(p, NODE_DOT, value->place);
      field->name = name;
      field->value = 1;
      field->a = value;
      item = finish(p, field);
    }
    append(&first, &last, item);
    if (!parser_accept(p, ','))
      break;
  }
  parser_expect(p, '}', "`}`");
  node->b = first;
  return finish(p, node);
}

static Tree *primary(Parser *p) {
  const Place place = parser_place(p);
  Tree *node;
  switch (p->token.kind) {
  case UT_NUMBER:
    return number(p);
  case UT_DOUBLE:
    return real_number(p);
  case UT_STRING:
    node = parse_node(p, NODE_STRING, place);
    parser_next(p);
    return node;
  case '(':
    parser_next(p);
    node = ARENA_NEW(p->arena, Tree);
    *node = *parse_expr(p);
    parser_expect(p, ')', "`)`");
    return node;
  case '{':
    return braces(p);
  default:
    break;
  }
  if (parser_at_word(p, WORD_true) || parser_at_word(p, WORD_false))
    return truth(p);
  if (parser_at_word(p, WORD_forall) || parser_at_word(p, WORD_exists) || at_sum(p))
    return quantifier(p);
  if (p->token.kind == UT_NAME && p->token.length == 5 &&
      !memcmp(p->source->text + p->token.offset, "spawn", 5) &&
      parser_ahead(p, 1)->kind == UT_NAME)
    parser_fail(p, place,
                "dynamic templates (`spawn`) are not supported: tarn checks timed "
                "automata exactly");
  node = parse_node(p, parser_at_word(p, WORD_deadlock) ? NODE_DEADLOCK : NODE_NAME, place);
  node->name = parser_name(p, "an expression");
  if (node->kind == NODE_DEADLOCK && p->is_query)
    node->name = NULL; // whatever has this name in the model
  return p->panic ? error_node(p) : node;
}

static const Tree *arguments(Parser *p) {
  const Tree *list = parser_at(p, ')') ? NULL : parse_list(p);
  parser_expect(p, ')', "`)` or another argument");
  return list;
}

// primary { "[" expr "]" | "." NAME | "(" args ")" | "'" | "++" | "--" }
static Tree *postfix(Parser *p) {
  Tree *node = primary(p);
  for (;;) {
    const Place place = parser_place(p);
    if (parser_accept(p, '[')) {
      node = binary(p, NODE_INDEX, place, EXPR_INDEX, node, parse_expr(p));
      parser_expect(p, ']', "`]`");
    } else if (parser_accept(p, '.')) {
      Tree *dot = parse_node(p, NODE_DOT, node->place);
      dot->a = node;
      // After a dot any word is a name: locations may be called `init`.
      if (p->token.kind == UT_NAME) {
        dot->name = names_get(p->names, p->source->text + p->token.offset, p->token.length);
        parser_next(p);
      } else {
        parser_expect(p, UT_NAME, "a name after the dot");
      }
      node = finish(p, dot);
    } else if (parser_accept(p, '(')) {
      node = binary(p, NODE_CALL, node->place, EXPR_CALL, node, arguments(p));
    } else if (parser_accept(p, '\'')) {
      node = binary(p, NODE_RATE, node->place, EXPR_CONST, node, NULL);
    } else if (parser_at(p, UT_INC) || parser_at(p, UT_DEC)) {
      node = binary(p, NODE_STEP, place, parser_at(p, UT_INC) ? EXPR_ADD : EXPR_SUB, node, NULL);
      node->value = 1;
      parser_next(p);
    } else {
      return node;
    }
  }
}

// ("!" | "not" | "-" | "+" | "++" | "--") unary | postfix
static Tree *unary(Parser *p) {
  const Place place = parser_place(p);
  Tree *node;
  if (!parser_enter(p)) {
    node = error_node(p);
  } else if (parser_at(p, '-') && parser_ahead(p, 1)->kind == UT_NUMBER &&
             parser_ahead(p, 1)->value == (int64_t)INT32_MAX + 1) {
    parser_next(p);
    parser_next(p);
    node = parse_node(p, NODE_NUMBER, place);
    node->value = INT32_MIN;
  } else if (parser_accept(p, '!') || parser_accept_word(p, WORD_not)) {
    node = binary(p, NODE_UNARY, place, EXPR_NOT, unary(p), NULL);
  } else if (parser_accept(p, '-')) {
    node = binary(p, NODE_UNARY, place, EXPR_NEG, unary(p), NULL);
  } else if (parser_accept(p, '+')) {
    node = unary(p);
  } else if (parser_at(p, UT_INC) || parser_at(p, UT_DEC)) {
    const ExprKind op = parser_at(p, UT_INC) ? EXPR_ADD : EXPR_SUB;
    parser_next(p);
    node = binary(p, NODE_STEP, place, op, unary(p), NULL);
  } else {
    node = postfix(p);
  }
  p->depth--;
  return node;
}

typedef struct Operator {
  int level; // higher binds tighter; 0: none
  NodeKind kind;
  ExprKind op;
} Operator;

static Operator word_operator(Word word) {
  switch (word) {
  case WORD_and:
    return (Operator){2, NODE_BINARY, EXPR_AND};
  case WORD_or:
    return (Operator){1, NODE_BINARY, EXPR_OR};
  case WORD_xor:
    return (Operator){1, NODE_XOR, EXPR_NE};
  case WORD_imply:
    return (Operator){1, NODE_IMPLY, EXPR_OR};
  default:
    return (Operator){0};
  }
}

static Operator operator_at(const Parser *p) {
  switch (p->token.kind) {
  case UT_NAME:
    return word_operator(p->token.word);
  case UT_OR:
    return (Operator){1, NODE_BINARY, EXPR_OR};
  case UT_AND:
    return (Operator){2, NODE_BINARY, EXPR_AND};
  case '|':
    return (Operator){3, NODE_BINARY, EXPR_BIT_OR};
  case '^':
    return (Operator){4, NODE_BINARY, EXPR_BIT_XOR};
  case '&':
    return (Operator){5, NODE_BINARY, EXPR_BIT_AND};
  case UT_EQ:
    return (Operator){6, NODE_BINARY, EXPR_EQ};
  case UT_NE:
    return (Operator){6, NODE_BINARY, EXPR_NE};
  case '<':
    return (Operator){7, NODE_BINARY, EXPR_LT};
  case UT_LE:
    return (Operator){7, NODE_BINARY, EXPR_LE};
  case '>':
    return (Operator){7, NODE_BINARY, EXPR_GT};
  case UT_GE:
    return (Operator){7, NODE_BINARY, EXPR_GE};
  case UT_MIN:
    return (Operator){8, NODE_BINARY, EXPR_MIN};
  case UT_MAX:
    return (Operator){8, NODE_BINARY, EXPR_MAX};
  case UT_SHL:
    return (Operator){9, NODE_BINARY, EXPR_SHL};
  case UT_SHR:
    return (Operator){9, NODE_BINARY, EXPR_SHR};
  case '+':
    return (Operator){10, NODE_BINARY, EXPR_ADD};
  case '-':
    return (Operator){10, NODE_BINARY, EXPR_SUB};
  case '*':
    return (Operator){11, NODE_BINARY, EXPR_MUL};
  case '/':
    return (Operator){11, NODE_BINARY, EXPR_DIV};
  case '%':
    return (Operator){11, NODE_BINARY, EXPR_MOD};
  case UT_POWER:
    return (Operator){12, NODE_POWER, EXPR_MUL};
  default:
    return (Operator){0};
  }
}

// unary { operator unary }, with operators of at least this level
static Tree *climb(Parser *p, int level) {
  Tree *left = unary(p);
  for (;;) {
    const Operator op = operator_at(p);
    if (!op.level || op.level < level)
      return left;
    const Place place = parser_place(p);
    parser_next(p);
    Tree *right = climb(p, op.level + 1);
    left = binary(p, op.kind, place, op.op, left, right);
  }
}

static bool assignment(const Parser *p, ExprKind *op) {
  static const ExprKind ops[] = {EXPR_CONST,   EXPR_ADD, EXPR_SUB,     EXPR_MUL,
                                 EXPR_DIV,     EXPR_MOD, EXPR_BIT_AND, EXPR_BIT_OR,
                                 EXPR_BIT_XOR, EXPR_SHL, EXPR_SHR};
  if (p->token.kind < UT_SET || p->token.kind > UT_SET_SHR)
    return false;
  *op = ops[p->token.kind - UT_SET];
  return true;
}

// binary [ "?" expr ":" expr ] [ assignment expr ]
const Tree *parse_expr(Parser *p) {
  if (!parser_enter(p)) {
    p->depth--;
    return error_node(p);
  }
  Tree *node = climb(p, 1);
  Place place = parser_place(p);
  if (parser_accept(p, '?')) {
    Tree *cond = parse_node(p, NODE_COND, place);
    cond->a = node;
    cond->b = parse_expr(p);
    parser_expect(p, ':', "`:`");
    cond->c = parse_expr(p);
    node = finish(p, cond);
  }
  ExprKind op;
  place = parser_place(p);
  if (assignment(p, &op)) {
    parser_next(p);
    node = binary(p, NODE_ASSIGN, place, op, node, parse_expr(p));
  }
  p->depth--;
  return node;
}

const Tree *parse_list(Parser *p) {
  Tree *first = NULL, *last = NULL;
  do {
    Tree *item = ARENA_NEW(p->arena, Tree);
    *item = *parse_expr(p);
    item->next = NULL;
    append(&first, &last, item);
  } while (parser_accept(p, ','));
  return first;
}

const Tree *parse_conjunction(Parser *p) {
  const Tree *node = parse_expr(p);
  while (parser_at(p, ',')) { // the old syntax; harmless in the new one
    const Place place = parser_place(p);
    parser_next(p);
    node = binary(p, NODE_BINARY, place, EXPR_AND, node, parse_expr(p));
  }
  return node;
}

const Tree *parse_unary(Parser *p) { return unary(p); }

const Tree *parse_operand(Parser *p) { return climb(p, 3); }
