// A recursive descent over the characters of one text. As in the language, conditions are
// conjunctions of comparisons in models, and any formulas in queries. What is not understood
// makes the label unknown.
#include "check/trees/tckterms.h"

#include <stdio.h>
#include <string.h>

enum { MAX_NESTING = 1000, MAX_INSTANCES = 1 << 20, NAME = 500 };

typedef struct Local { // of statements
  TckSpan name;
  uint32_t data;
  const Shape *shape;
  struct Local *outer;
} Local;

typedef struct Binding { // of a quantifier, with its present value
  TckSpan name;
  int32_t value;
  const struct Binding *outer;
} Binding;

typedef struct Reader {
  const TckFile *file;
  Arena *arena;
  Evaluator *evaluator; // for constants in queries
  const Source *source;
  const char *at, *end;
  bool is_query;
  uint32_t nesting, instances, frame;
  Local *locals; // the latest first
  const Binding *bindings;
  const char *unknown;
  Place unknown_place;
} Reader;

static const Term *sum(Reader *);
static const Term *formula(Reader *);

static Place here(const Reader *r) {
  return (Place){r->source, (uint32_t)(r->at - r->source->text)};
}

static Term *new_term(Reader *r, TermKind kind, TermClass class) {
  Term *t = ARENA_NEW(r->arena, Term);
  t->kind = kind;
  t->class = class;
  t->place = here(r);
  return t;
}

static const Term *number_term(Reader *r, int32_t value) {
  Term *t = new_term(r, TERM_NUMBER, CLASS_INT);
  t->value = value;
  return t;
}

static const Term *give_up(Reader *r, const char *why) {
  if (!r->unknown) {
    r->unknown = why;
    r->unknown_place = here(r);
  }
  r->at = r->end;
  return number_term(r, 0);
}

static const Term *new_operation(Reader *r, TermKind kind, ExprKind op, const Term *a,
                                 const Term *b) {
  Term *t = new_term(r, kind, CLASS_INT);
  t->op = op;
  t->place = a->place;
  t->a = a;
  t->b = b;
  t->is_timed = a->is_timed || (b && b->is_timed);
  return t;
}

// Words and signs.

static void skip(Reader *r) {
  for (;;) {
    while (r->at < r->end &&
           (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n'))
      r->at++;
    if (!r->is_query || r->end - r->at < 2 || r->at[0] != '/' || r->at[1] != '*')
      return;
    for (r->at += 2; r->at < r->end && !(r->at[-1] == '*' && r->at[0] == '/');)
      r->at++;
    r->at += r->at < r->end;
  }
}

static bool at_sign(const Reader *r, const char *sign) {
  const size_t length = strlen(sign);
  return (size_t)(r->end - r->at) >= length && !memcmp(r->at, sign, length);
}

static bool accept(Reader *r, const char *sign) {
  skip(r);
  const bool is_there = at_sign(r, sign);
  r->at += is_there ? strlen(sign) : 0;
  return is_there;
}

static void expect(Reader *r, const char *sign) {
  if (!accept(r, sign))
    give_up(r, "it is not understood");
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// The name that begins here; empty: none.
static TckSpan peek_name(Reader *r) {
  skip(r);
  TckSpan name = {r->at, 0};
  if (r->at < r->end && begins_name(*r->at))
    while (r->at + name.size < r->end && (begins_name(r->at[name.size]) ||
                                          is_digit(r->at[name.size]) || r->at[name.size] == '.'))
      name.size++;
  return name;
}

static bool at_word(Reader *r, const char *word) { return tckspan_is(peek_name(r), word); }

static bool accept_word(Reader *r, const char *word) {
  const bool is_there = at_word(r, word);
  r->at += is_there ? strlen(word) : 0;
  return is_there;
}

static void expect_word(Reader *r, const char *word) {
  if (!accept_word(r, word))
    give_up(r, "it is not understood");
}

static bool enter(Reader *r) {
  if (++r->nesting > MAX_NESTING)
    give_up(r, "it is nested too deeply");
  return r->nesting <= MAX_NESTING;
}

// Storage.

static Term *storage_term(Reader *r, TermKind kind, const Shape *shape) {
  const Shape *leaf = shape->kind == SHAPE_ARRAY ? shape->element : shape;
  Term *t = new_term(r, kind, leaf->kind == SHAPE_CLOCK ? CLASS_CLOCKS : CLASS_INT);
  t->shape = shape;
  t->is_stored = true;
  return t;
}

static const Term *variable_term(Reader *r, const TckEntry *e) {
  Term *t = storage_term(r, TERM_GLOBAL, e->shape);
  *(e->kind == TCK_ENTRY_CLOCK ? &t->clock : &t->data) = e->base;
  return t;
}

static const Local *find_local(const Reader *r, TckSpan name) {
  const Local *l = r->locals;
  while (l && (l->name.size != name.size || memcmp(l->name.at, name.at, name.size) != 0))
    l = l->outer;
  return l;
}

static const Term *at_term(Reader *r, const TckEntry *location) {
  Term *t = new_term(r, TERM_AT, CLASS_INT);
  t->data = location->process->index;
  t->value = (int32_t)location->index;
  return t;
}

// The terms with an operator between them, as a balanced tree: so it is not deep.
static const Term *join(Reader *r, TermKind kind, ExprKind op, const Term **terms,
                        uint32_t count) {
  return count == 1 ? terms[0]
                    : new_operation(r, kind, op, join(r, kind, op, terms, count / 2),
                                    join(r, kind, op, terms + count / 2, count - count / 2));
}

// That some location with this label is reached. NULL: none has it.
static const Term *label_term(Reader *r, TckSpan label) {
  const TckFile *file = r->file;
  const Term **all = ARENA_ARRAY(r->arena, const Term *, file->counts[TCK_ENTRY_LOCATION]);
  uint32_t count = 0;
  for (const TckEntry *l = file->first[TCK_ENTRY_LOCATION]; l; l = l->next)
    if (tckfile_carries(file, l, label))
      all[count++] = at_term(r, l);
  return count ? join(r, TERM_OR, EXPR_OR, all, count) : NULL;
}

// The location of a name such as P.l; names have dots themselves. NULL: none, or more than one.
static const TckEntry *find_location(const Reader *r, TckSpan name) {
  const TckEntry *found = NULL;
  uint32_t count = 0;
  for (uint32_t dot = 0; dot < name.size; dot++) {
    if (name.at[dot] != '.')
      continue;
    const TckSpan first = {name.at, dot}, rest = {name.at + dot + 1, name.size - dot - 1};
    const TckEntry *process = tckfile_find(r->file, TCK_ENTRY_PROCESS, NULL, first);
    const TckEntry *location =
        process ? tckfile_find(r->file, TCK_ENTRY_LOCATION, process, rest) : NULL;
    found = location ? location : found;
    count += location != NULL;
  }
  return count == 1 ? found : NULL;
}

// What a name stands for; NULL: nothing.
static const Term *resolve(Reader *r, TckSpan name) {
  const TckEntry *e = tckfile_find(r->file, TCK_ENTRY_INT, NULL, name);
  if (!e)
    e = tckfile_find(r->file, TCK_ENTRY_CLOCK, NULL, name);
  if (e || !r->is_query)
    return e ? variable_term(r, e) : NULL;
  const TckEntry *location = find_location(r, name);
  return location ? at_term(r, location) : label_term(r, name);
}

// A number that is known without a state.
static int32_t constant(Reader *r, const Term *t) {
  int32_t value = 0;
  if (r->unknown || !r->evaluator || !evaluator_constant(r->evaluator, t, 0, 0, &value))
    give_up(r, "a number is not known");
  return value;
}

// NAME "(" sum ")" "." NAME, after the parenthesis: P1.l or P_1.l, with the number.
static const Term *member(Reader *r, TckSpan process) {
  char text[NAME];
  const int32_t number = constant(r, sum(r));
  expect(r, ")");
  expect(r, ".");
  const TckSpan rest = peek_name(r);
  r->at += rest.size;
  if (r->unknown || process.size + rest.size > NAME - 20)
    return give_up(r, "a process is not known");
  for (int line = 0; line < 2; line++) {
    const int size = snprintf(text, sizeof text, "%.*s%s%d.%.*s", (int)process.size, process.at,
                              line ? "_" : "", (int)number, (int)rest.size, rest.at);
    const Term *t = resolve(r, (TckSpan){text, (uint32_t)size});
    if (t)
      return t;
  }
  return give_up(r, "a process is not known");
}

// storage[index]; what is no array is one with one element.
static const Term *element(Reader *r, const Term *array) {
  Term *t = storage_term(r, TERM_INDEX, array->shape);
  if (array->shape->kind != SHAPE_ARRAY) {
    Shape *one = ARENA_NEW(r->arena, Shape);
    *one = (Shape){.kind = SHAPE_ARRAY,
                   .element = array->shape,
                   .count = 1,
                   .data = array->shape->data,
                   .clocks = array->shape->clocks};
    Term *whole = ARENA_NEW(r->arena, Term);
    *whole = *array;
    whole->shape = one;
    array = whole;
  }
  t->shape = array->shape->element;
  t->a = array;
  t->b = sum(r);
  if (t->b->class != CLASS_INT)
    give_up(r, "an index is no number");
  expect(r, "]");
  return t;
}

static const Term *named(Reader *r, TckSpan name) {
  const Binding *b = r->bindings;
  while (b && (b->name.size != name.size || memcmp(b->name.at, name.at, name.size) != 0))
    b = b->outer;
  r->at += name.size;
  if (b)
    return number_term(r, b->value);
  if (r->is_query && accept(r, "("))
    return member(r, name);
  const Local *local = find_local(r, name);
  const Term *t;
  if (local) {
    Term *stored = storage_term(r, TERM_LOCAL, local->shape);
    stored->data = local->data;
    t = stored;
  } else {
    t = resolve(r, name);
  }
  if (!t)
    return give_up(r, "a name is not known");
  if (t->is_stored && accept(r, "["))
    t = element(r, t);
  return t->is_stored && t->shape->kind == SHAPE_ARRAY ? give_up(r, "an index is missing") : t;
}

// Numbers and sums.

// A number beyond 32 bits, for clocks only, counts as one.
static const Term *number(Reader *r, bool is_negative) {
  int64_t value = 0;
  for (; r->at < r->end && is_digit(*r->at); r->at++)
    if (value < INT64_C(1) << 56)
      value = value * 10 + (*r->at - '0');
  value = is_negative ? -value : value;
  if (value >= INT32_MIN && value <= INT32_MAX)
    return number_term(r, (int32_t)value);
  Term *t = new_term(r, TERM_TIME, CLASS_CLOCKS);
  t->time = value;
  return t;
}

// "if" formula "then" sum "else" sum, in parentheses
static const Term *choice(Reader *r) {
  Term *t = new_term(r, TERM_COND, CLASS_INT);
  t->a = formula(r);
  expect_word(r, "then");
  t->b = sum(r);
  expect_word(r, "else");
  t->c = sum(r);
  if (t->a->is_timed || t->b->class != CLASS_INT || t->c->class != CLASS_INT)
    give_up(r, "a clock is in a choice");
  return t;
}

static int32_t range_end(Reader *r, const char *sign) {
  const int32_t value = constant(r, sum(r));
  expect(r, sign);
  return value;
}

// QUANTIFIER "(" NAME ":" "int" "[" sum "," sum "]" ")" body, once for each value
static const Term *quantified(Reader *r, TermKind kind, ExprKind op) {
  const TckSpan name = peek_name(r);
  r->at += name.size;
  expect(r, ":");
  expect_word(r, "int");
  expect(r, "[");
  const int64_t low = range_end(r, ","), high = range_end(r, "]");
  expect(r, ")");
  r->instances +=
      high < low || high - low > MAX_INSTANCES ? MAX_INSTANCES + 1 : (uint32_t)(high - low);
  if (r->unknown || r->instances > MAX_INSTANCES)
    return give_up(r, "there are too many values");
  const uint32_t count = (uint32_t)(high - low) + 1;
  const Term **all = ARENA_ARRAY(r->arena, const Term *, count);
  const char *body = r->at;
  Binding binding = {name, 0, r->bindings};
  r->bindings = &binding;
  for (uint32_t k = 0; k < count && !r->unknown; k++) {
    r->at = body;
    binding.value = (int32_t)(low + k);
    all[k] = kind == TERM_BINARY ? sum(r) : formula(r);
    if (all[k]->class != CLASS_INT)
      give_up(r, "a part of a quantifier is no condition");
  }
  r->bindings = binding.outer;
  return r->unknown ? number_term(r, 0) : join(r, kind, op, all, count);
}

// These words may name variables, too: a quantifier is followed by a parenthesis.
static bool accept_quantifier(Reader *r, const char *word) {
  const char *begin = r->at;
  const bool is_there = r->is_query && accept_word(r, word) && accept(r, "(");
  r->at = is_there ? r->at : begin;
  return is_there;
}

static bool is_keyword(const Reader *r, TckSpan name) {
  static const char *const of_models[] = {"if", "then", "else",  "end", "while",
                                          "do", "nop",  "local", NULL};
  static const char *const of_queries[] = {"if",    "then", "else",  "and",      "or", "not",
                                           "imply", "true", "false", "deadlock", NULL};
  for (const char *const *word = r->is_query ? of_queries : of_models; *word; word++)
    if (tckspan_is(name, *word))
      return true;
  return false;
}

static const Term *primary(Reader *r) {
  skip(r);
  if (r->at < r->end && is_digit(*r->at))
    return number(r, false);
  if (accept(r, "(")) {
    const Term *t = accept_word(r, "if") ? choice(r) : formula(r);
    expect(r, ")");
    return t;
  }
  if (accept_quantifier(r, "forall"))
    return quantified(r, TERM_AND, EXPR_AND);
  if (accept_quantifier(r, "exists"))
    return quantified(r, TERM_OR, EXPR_OR);
  if (accept_quantifier(r, "sum"))
    return quantified(r, TERM_BINARY, EXPR_ADD);
  const TckSpan name = peek_name(r);
  if (r->is_query && (accept_word(r, "true") || accept_word(r, "false")))
    return number_term(r, name.size == 4);
  if (r->is_query && accept_word(r, "deadlock")) {
    Term *t = new_term(r, TERM_DEADLOCK, CLASS_INT);
    t->is_timed = true;
    return t;
  }
  return name.size && !is_keyword(r, name) ? named(r, name) : give_up(r, "it is not understood");
}

// "-" unary | primary; a number with its sign is one, as the least has no opposite
static const Term *unary(Reader *r) {
  skip(r);
  if (!at_sign(r, "-"))
    return primary(r);
  r->at++;
  skip(r);
  if (r->at < r->end && is_digit(*r->at))
    return number(r, true);
  if (!enter(r))
    return number_term(r, 0);
  const Term *a = unary(r);
  r->nesting--;
  return a->class == CLASS_INT ? new_operation(r, TERM_NEG, EXPR_NEG, a, NULL)
                               : give_up(r, "a clock is negated");
}

static const Term *product(Reader *r) {
  const Term *a = unary(r);
  for (;;) {
    const ExprKind op = accept(r, "*")   ? EXPR_MUL
                        : accept(r, "/") ? EXPR_DIV
                        : accept(r, "%") ? EXPR_MOD
                                         : EXPR_CONST;
    if (op == EXPR_CONST)
      return a;
    const Term *b = unary(r);
    if (a->class != CLASS_INT || b->class != CLASS_INT)
      return give_up(r, "a clock is in a product");
    a = new_operation(r, TERM_BINARY, op, a, b);
  }
}

static bool is_sum(const Term *t) { return t->class == CLASS_CLOCKS && t->kind == TERM_BINARY; }

// A clock and a number. Of more numbers these are added first, in 32 bits.
static const Term *clock_sum(Reader *r, const Term *a, const Term *b) {
  const Term *clock = a->class == CLASS_CLOCKS && a->kind != TERM_TIME ? a : b;
  const Term *added = clock == a ? b : a;
  if (added->class == CLASS_CLOCKS && added->kind != TERM_TIME)
    return give_up(r, "two clocks are added");
  if (is_sum(clock) && (clock->op == EXPR_SUB || added->kind == TERM_TIME))
    return give_up(r, "a sum of clocks is not known");
  if (is_sum(clock)) {
    added = new_operation(r, TERM_BINARY, EXPR_ADD, clock->b, added);
    clock = clock->a;
  }
  Term *t = new_term(r, TERM_BINARY, CLASS_CLOCKS);
  t->op = EXPR_ADD;
  t->a = clock;
  t->b = added;
  return t;
}

static const Term *combine(Reader *r, ExprKind op, const Term *a, const Term *b) {
  if (a->class == CLASS_INT && b->class == CLASS_INT)
    return new_operation(r, TERM_BINARY, op, a, b);
  if (op == EXPR_ADD)
    return clock_sum(r, a, b);
  if (a->class != CLASS_CLOCKS || b->class != CLASS_CLOCKS || is_sum(a) || is_sum(b))
    return give_up(r, "a difference of clocks is not known");
  Term *t = new_term(r, TERM_BINARY, CLASS_CLOCKS);
  t->op = op;
  t->a = a;
  t->b = b;
  return t;
}

static const Term *sum(Reader *r) {
  if (!enter(r))
    return number_term(r, 0);
  const Term *a = product(r);
  for (;;) {
    const bool is_plus = accept(r, "+");
    if (!is_plus && !accept(r, "-"))
      break;
    a = combine(r, is_plus ? EXPR_ADD : EXPR_SUB, a, product(r));
  }
  r->nesting--;
  return a;
}

// Conditions.

static ExprKind relation(Reader *r) {
  return accept(r, "==")   ? EXPR_EQ
         : accept(r, "!=") ? EXPR_NE
         : accept(r, "<=") ? EXPR_LE
         : accept(r, ">=") ? EXPR_GE
         : accept(r, "<")  ? EXPR_LT
         : accept(r, ">")  ? EXPR_GT
                           : EXPR_CONST;
}

static const Term *compare(Reader *r, ExprKind op, const Term *a, const Term *b) {
  Term *t = new_term(r, TERM_BINARY, CLASS_INT);
  t->place = a->place;
  t->op = op;
  t->a = a;
  t->b = b;
  t->is_timed = a->class == CLASS_CLOCKS || b->class == CLASS_CLOCKS;
  if (!t->is_timed && (a->is_timed || b->is_timed))
    give_up(r, "conditions on clocks are compared");
  return t;
}

static const Term *comparison(Reader *r) {
  const Term *a = sum(r);
  const ExprKind first = relation(r);
  if (first == EXPR_CONST)
    return a;
  const Term *b = sum(r), *left = compare(r, first, a, b);
  const ExprKind second = relation(r);
  if (second == EXPR_CONST)
    return left;
  return new_operation(r, TERM_AND, EXPR_AND, left, compare(r, second, b, sum(r)));
}

static const Term *negation(Reader *r) {
  skip(r);
  if (at_sign(r, "!=") || !(accept(r, "!") || (r->is_query && accept_word(r, "not"))))
    return comparison(r);
  if (!enter(r))
    return number_term(r, 0);
  const Term *a = negation(r);
  r->nesting--;
  return a->class == CLASS_INT ? new_operation(r, TERM_NOT, EXPR_NOT, a, NULL)
                               : give_up(r, "a clock is no condition");
}

static const Term *connect(Reader *r, TermKind kind, const Term *a, const Term *b) {
  return a->class == CLASS_INT && b->class == CLASS_INT ? new_operation(r, kind, EXPR_AND, a, b)
                                                        : give_up(r, "a clock is no condition");
}

static const Term *conjunction(Reader *r) {
  const Term *a = negation(r);
  while (accept(r, "&&") || (r->is_query && accept_word(r, "and")))
    a = connect(r, TERM_AND, a, negation(r));
  return a;
}

static const Term *disjunction(Reader *r) {
  const Term *a = conjunction(r);
  while (r->is_query && (accept(r, "||") || accept_word(r, "or")))
    a = connect(r, TERM_OR, a, conjunction(r));
  return a;
}

static const Term *formula(Reader *r) {
  if (!enter(r))
    return number_term(r, 0);
  const Term *a = disjunction(r);
  if (r->is_query && accept_word(r, "imply"))
    a = connect(r, TERM_IMPLY, a, formula(r));
  r->nesting--;
  return a;
}

// Statements.

static Deed *new_deed(Reader *r, DeedKind kind, Deed ***end) {
  Deed *deed = ARENA_NEW(r->arena, Deed);
  deed->kind = kind;
  deed->place = here(r);
  **end = deed;
  *end = &deed->next;
  return deed;
}

static void statements(Reader *, Deed ***end);

static const Deed *block(Reader *r) {
  Deed *first = NULL, **end = &first;
  if (enter(r))
    statements(r, &end);
  r->nesting--;
  return first;
}

static const Term *untimed(Reader *r) {
  const Term *t = formula(r);
  return t->class == CLASS_INT && !t->is_timed ? t
                                               : give_up(r, "a clock is tested in a statement");
}

// NAME [ "=" sum | "[" sum "]" ]
static void declare(Reader *r, Deed ***end) {
  Local *local = ARENA_NEW(r->arena, Local);
  Shape *shape = ARENA_NEW(r->arena, Shape), *array = ARENA_NEW(r->arena, Shape);
  *shape = (Shape){.kind = SHAPE_INT, .low = INT32_MIN, .high = INT32_MAX, .data = 1};
  *local = (Local){peek_name(r), r->frame, shape, r->locals};
  r->at += local->name.size;
  const Term *value = NULL;
  if (accept(r, "=")) {
    value = sum(r);
  } else if (accept(r, "[")) {
    Evaluator constants;
    evaluator_init(&constants, r->arena->mem);
    constants.is_checked = true;
    r->evaluator = &constants;
    const int32_t count = constant(r, sum(r));
    r->evaluator = NULL;
    expect(r, "]");
    if (count < 1 || count > 1 << 20) {
      give_up(r, "the size of an array is not known");
      return;
    }
    *array = (Shape){
        .kind = SHAPE_ARRAY, .element = shape, .count = (uint32_t)count, .data = (uint32_t)count};
    local->shape = array;
  }
  r->frame += local->shape->data;
  r->locals = local;
  Term *t = storage_term(r, TERM_LOCAL, local->shape);
  t->data = local->data;
  Deed *deed = new_deed(r, value ? DEED_SET : DEED_DEFAULT, end);
  deed->a = t;
  deed->b = value;
  deed->table = value ? NULL : ARENA_ARRAY(r->arena, int32_t, local->shape->data);
}

// storage "=" sum
static void assign(Reader *r, Deed ***end) {
  const TckSpan name = peek_name(r);
  Term *t = new_term(r, TERM_ASSIGN, CLASS_INT);
  t->op = EXPR_CONST;
  t->has_effect = true;
  if (!name.size || is_keyword(r, name)) {
    give_up(r, "a statement is not understood");
    return;
  }
  t->a = named(r, name);
  expect(r, "=");
  t->b = sum(r);
  t->class = t->a->class;
  if (!t->a->is_stored || (t->class == CLASS_INT && t->b->class != CLASS_INT) || t->b->is_timed)
    give_up(r, "an assignment is not understood");
  new_deed(r, DEED_EFFECT, end)->a = t;
}

static void statement(Reader *r, Deed ***end) {
  if (accept_word(r, "if")) {
    Deed *deed = new_deed(r, DEED_IF, end);
    deed->a = untimed(r);
    expect_word(r, "then");
    deed->body = block(r);
    if (accept_word(r, "else"))
      deed->other = block(r);
    expect_word(r, "end");
  } else if (accept_word(r, "while")) {
    Deed *deed = new_deed(r, DEED_WHILE, end);
    deed->a = untimed(r);
    expect_word(r, "do");
    Local *outer = r->locals;
    deed->body = block(r);
    r->locals = outer; // those of an `if` stay
    expect_word(r, "end");
  } else if (accept_word(r, "local")) {
    declare(r, end);
  } else if (!accept_word(r, "nop")) {
    assign(r, end);
  }
}

static bool at_end(Reader *r) {
  return at_word(r, "end") || at_word(r, "else") || r->at == r->end;
}

static void statements(Reader *r, Deed ***end) {
  do
    statement(r, end);
  while (!r->unknown && accept(r, ";") && !at_end(r));
}

// Labels.

static Reader reader_of(const TckFile *file) {
  return (Reader){.file = file, .arena = file->arena, .source = file->source};
}

static void begin(Reader *r, const char *at, uint32_t size) {
  r->at = at;
  r->end = at + size;
}

static void finish_text(Reader *r) {
  skip(r);
  if (r->at < r->end)
    give_up(r, "it is not understood to its end");
}

static Label finish(const Reader *r, const Term *condition, const Deed *deeds) {
  return (Label){.condition = condition,
                 .deeds = deeds,
                 .data = r->frame,
                 .unknown = r->unknown,
                 .place = r->unknown_place};
}

static const Term *condition(Reader *r) {
  const Term *t = formula(r);
  finish_text(r);
  return t->class == CLASS_INT ? t : give_up(r, "a condition is needed");
}

Label tckterms_condition(const TckFile *file, TckAttributes attributes, const char *key) {
  Reader r = reader_of(file);
  const Term *all = NULL;
  for (uint32_t k = 0; k < attributes.count; k++) {
    const TckAttribute *a = &file->attributes.items[attributes.first + k];
    if (!tckspan_is(a->key, key))
      continue;
    begin(&r, a->value.at, a->value.size);
    const Term *t = condition(&r);
    all = all ? connect(&r, TERM_AND, all, t) : t;
  }
  return finish(&r, all, NULL);
}

Label tckterms_updates(const TckFile *file, TckAttributes attributes) {
  Reader r = reader_of(file);
  Deed *first = NULL, **end = &first;
  for (uint32_t k = 0; k < attributes.count; k++) {
    const TckAttribute *a = &file->attributes.items[attributes.first + k];
    if (!tckspan_is(a->key, "do"))
      continue;
    begin(&r, a->value.at, a->value.size);
    statements(&r, &end);
    finish_text(&r);
  }
  return finish(&r, NULL, first);
}

// label { "," label }
static const Term *labels(Reader *r) {
  const Term *all = NULL;
  while (!r->unknown && r->at <= r->end) {
    TckSpan label = {r->at, 0};
    while (r->at + label.size < r->end && r->at[label.size] != ',')
      label.size++;
    const Term *t = label_term(r, tckspan_trim(label));
    if (!t)
      return give_up(r, "a label is not known");
    all = all ? connect(r, TERM_AND, all, t) : t;
    r->at += label.size + 1;
  }
  return all ? all : give_up(r, "a label is missing");
}

static const Term *query_text(Reader *r, const Tree *tree) {
  r->source = tree->place.source;
  begin(r, r->source->text + tree->place.offset, (uint32_t)tree->value);
  if (tree->kind == NODE_LABELS)
    return labels(r);
  const Term *t = formula(r);
  finish_text(r);
  return t;
}

static const Term *query_term(Reader *r, const Tree *tree) {
  if (!tree)
    return give_up(r, "a part of the query is not known");
  if (tree->kind == NODE_TEXT || tree->kind == NODE_LABELS)
    return query_text(r, tree);
  if (tree->kind == NODE_NUMBER)
    return number_term(r, tree->value);
  if (tree->kind != NODE_BINARY)
    return give_up(r, "a part of the query is not known");
  const Term *a = query_term(r, tree->a), *b = query_term(r, tree->b);
  return tree->op == EXPR_AND || tree->op == EXPR_OR
             ? connect(r, tree->op == EXPR_AND ? TERM_AND : TERM_OR, a, b)
             : compare(r, tree->op, a, b);
}

Label tckterms_query(const TckFile *file, Evaluator *constants, const Tree *tree) {
  Reader r = reader_of(file);
  r.is_query = true;
  r.evaluator = constants;
  const Term *t = query_term(&r, tree);
  if (t->class != CLASS_INT)
    t = give_up(&r, "a condition is needed");
  return finish(&r, t, NULL);
}
