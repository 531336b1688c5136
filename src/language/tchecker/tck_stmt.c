#include "language/tchecker/tck_stmt.h"

#include <string.h>

// Why not: updates run once for all clock values of a zone.
static const char in_statement[] =
    "the condition of a statement: an update does the same for all values of the clocks; write "
    "one edge for each case, with the comparison in `provided:`";

static const Expr *find_local(const TckScope *scope, const char *name, uint32_t length) {
  for (uint32_t i = 0; i < scope->locals.size; i++) {
    const Expr *local = scope->locals.items[i];
    if (strlen(local->name) == length && !memcmp(local->name, name, length))
      return local;
  }
  return NULL;
}

static const Name *find_global(const TckScope *scope, const char *name, uint32_t length,
                               ExprKind *kind) {
  const uint32_t id = symbols_find(scope->symbols, TCK_VARIABLES, name, length);
  if (id == SYMBOLS_NONE)
    return NULL;
  *kind = id & 1 ? EXPR_CLOCK : EXPR_VAR;
  return id & 1 ? &scope->net->clocks.items[id / 2] : &scope->net->variables.items[id / 2];
}

// What the user may have had in mind, as a sentence that ends the message.
static const char *advice(TckParser *parser, const char *name) {
  const TckScope *scope = parser->context;
  const uint32_t length = (uint32_t)strlen(name);
  const char *dot = strchr(name, '.');
  if (!strcmp(name, "true") || !strcmp(name, "false"))
    return *name == 't' ? "; write `1` for true" : "; write `0` for false";
  if (symbols_find(scope->symbols, TCK_PROCESSES, name, length) != SYMBOLS_NONE)
    return " as a variable: it is a process";
  if (symbols_find(scope->symbols, TCK_EVENTS, name, length) != SYMBOLS_NONE)
    return " as a variable: it is an event";
  if (dot &&
      symbols_find(scope->symbols, TCK_PROCESSES, name, (uint32_t)(dot - name)) != SYMBOLS_NONE)
    return " as a variable; only queries can ask for locations";
  static const char *const words[][2] = {{"not", "; write `!`"},
                                         {"NOT", "; write `!`"},
                                         {"reset", ": a clock is reset by `x = 0`"},
                                         {"False", "; write `0` for false"},
                                         {"True", "; write `1` for true"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(name, words[i][0]))
      return words[i][1];
  Nearest nearest = {0};
  for (uint32_t i = 0; i < scope->locals.size; i++)
    text_consider(&nearest, name, scope->locals.items[i]->name);
  const char *global = symbols_nearest(scope->symbols, TCK_VARIABLES, name);
  if (global)
    text_consider(&nearest, name, global);
  return tck_hint(parser, nearest.name);
}

Term tck_resolve(TckParser *parser, Token token) {
  const TckScope *scope = parser->context;
  const char *name = parser->lexer.source->text + token.offset;
  const Place place = tck_place(parser, token.offset);
  const Expr *local = find_local(scope, name, token.length);
  if (local)
    return term_storage(
        expr_storage(parser->arena, place, EXPR_LOCAL, local->name, local->type, local->base),
        token);
  ExprKind kind;
  const Name *global = find_global(scope, name, token.length, &kind);
  if (global)
    return term_storage(
        expr_storage(parser->arena, place, kind, global->name, global->type, global->base),
        token);
  name = tck_token_text(parser, token);
  tck_fail(parser, token.offset, "`%s` is not declared%s", name, advice(parser, name));
  return term_none(parser);
}

static Stmt *new_stmt(TckParser *parser, StmtKind kind, uint32_t offset) {
  Stmt *stmt = ARENA_NEW(parser->arena, Stmt);
  stmt->kind = kind;
  stmt->place = tck_place(parser, offset);
  return stmt;
}

// "=", or an error that says what is written instead
static void expect_assign(TckParser *parser, const Term *target) {
  const Token token = parser->token;
  const char *text = parser->lexer.source->text + token.offset;
  char quoted[LEXER_QUOTE], found[LEXER_QUOTE];
  if (tck_accept(parser, TOKEN_ASSIGN))
    return;
  if (token.kind == TOKEN_EQ)
    tck_fail(parser, token.offset, "`==` compares; write `=` to assign");
  else if (token.length == 1 && token.offset + 1 < parser->lexer.end &&
           strchr("+-*/%", text[0]) && (text[1] == '=' || text[1] == text[0]))
    tck_fail(parser, token.offset,
             "`%.2s` is not an operator; write the assignment in full, as in `i = i + 1`", text);
  else
    tck_fail(parser, token.offset, "expected `=` to assign to %s, found %s%s",
             lexer_quote(parser->lexer.source, target->begin, target->end, quoted),
             lexer_show(&parser->lexer, token, found),
             token.kind == TOKEN_LT || token.kind == TOKEN_LE || token.kind == TOKEN_GT ||
                     token.kind == TOKEN_GE
                 ? "; conditions belong to `provided`"
                 : "");
}

static void assign_clock(TckParser *parser, Stmt *stmt, const Term *value) {
  int64_t constant;
  stmt->kind = STMT_CLOCK_ASSIGN;
  if (value->kind == TERM_CLOCK || value->kind == TERM_SUM) {
    stmt->source = value->expr;
    stmt->value = value->other;
    return;
  }
  if (value->kind == TERM_DIFF)
    tck_fail(parser, value->begin,
             "a clock cannot be set to a difference of clocks; it can be "
             "set to a number, a clock, or a clock and a number added");
  stmt->value = term_bound(parser, value, "an assignment");
  if (expr_is_time(stmt->value, &constant) && constant < 0)
    tck_fail(parser, value->begin, "clocks are never negative: `%s` cannot be set to %lld",
             stmt->target->name ? stmt->target->name : "it", (long long)constant);
}

static void assign_integer(TckParser *parser, Stmt *stmt, const Term *value) {
  int32_t constant;
  const Type *type = stmt->target->type;
  stmt->value = term_integer(parser, value, "an assignment to an integer variable");
  if (expr_is_const(stmt->value, &constant) && (constant < type->min || constant > type->max))
    tck_warn(parser, value->begin,
             "%d is outside of the range %d to %d of the variable: an edge that comes to this "
             "assignment is disabled",
             constant, type->min, type->max);
}

// storage "=" sum
static Stmt *assignment(TckParser *parser) {
  Stmt *stmt = new_stmt(parser, STMT_ASSIGN, parser->token.offset);
  const Term target = tck_storage(parser);
  expect_assign(parser, &target);
  const Term value = tck_sum(parser);
  if (report_failed(parser->report))
    return stmt;
  stmt->target = target.expr;
  if (target.kind == TERM_CLOCK)
    assign_clock(parser, stmt, &value);
  else if (target.kind == TERM_INT)
    assign_integer(parser, stmt, &value);
  else
    tck_fail(parser, target.begin,
             "`%s` is an array; assign to its elements, one after the other", target.expr->name);
  return stmt;
}

static const Expr *declare(TckParser *parser, Token token, const Type *type) {
  TckScope *scope = parser->context;
  const Expr *local = expr_storage(parser->arena, tck_place(parser, token.offset), EXPR_LOCAL,
                                   tck_token_text(parser, token), type, scope->frame);
  if (type->slots > TCK_MAX_LOCALS - scope->frame)
    tck_fail(parser, token.offset,
             "these make %u elements of local variables; more than %d are not supported",
             scope->frame + type->slots, TCK_MAX_LOCALS);
  else if (scope->locals.size == TCK_MAX_LOCAL_NAMES)
    tck_fail(parser, token.offset, "more than %d local variables are not supported",
             TCK_MAX_LOCAL_NAMES);
  if (report_failed(parser->report))
    return local;
  scope->frame += type->slots;
  vec_push(parser->arena->mem, &scope->locals, local);
  return local;
}

static void check_new(TckParser *parser, Token token) {
  const TckScope *scope = parser->context;
  const char *name = parser->lexer.source->text + token.offset;
  ExprKind kind = EXPR_LOCAL;
  if (token.kind != TOKEN_NAME || tck_is_keyword(parser, token))
    tck_fail_token(parser, "the name of a variable after `local`");
  else if (find_local(scope, name, token.length))
    tck_fail(parser, token.offset,
             "`%s` is already declared, as a local variable; choose another name for this one",
             tck_token_text(parser, token));
  else if (find_global(scope, name, token.length, &kind))
    tck_warn(parser, token.offset, "the local variable `%s` hides a %s of that name",
             tck_token_text(parser, token),
             kind == EXPR_CLOCK ? "clock" : "variable of the model");
}

// "[" sum "]", the size of a local array
static const Type *local_size(TckParser *parser, const Type *type) {
  int32_t count = 1;
  tck_advance(parser);
  const Term size = tck_sum(parser);
  if (!expr_is_const(term_integer(parser, &size, "the size of an array"), &count))
    tck_fail(parser, size.begin, "the size of a local array must be a constant");
  else if (count < 1 || count > TCK_MAX_LOCALS)
    tck_fail(parser, size.begin, "the size of a local array must be between 1 and %d",
             TCK_MAX_LOCALS);
  tck_expect(parser, TOKEN_RBRACKET, "the size");
  return report_failed(parser->report) ? type
                                       : type_array(parser->arena, type, 0, (uint32_t)count);
}

// "local" NAME [ "=" sum | "[" sum "]" ]
static Stmt *local_variable(TckParser *parser) {
  Stmt *stmt = new_stmt(parser, STMT_LOCAL, parser->token.offset);
  tck_advance(parser);
  const Token name = parser->token;
  check_new(parser, name);
  tck_advance(parser);
  const Type *type = type_int(parser->arena, INT32_MIN, INT32_MAX);
  if (tck_accept(parser, TOKEN_ASSIGN)) {
    const Term value = tck_sum(parser);
    stmt->value = term_integer(parser, &value, "the value of a local variable");
  } else if (parser->token.kind == TOKEN_LBRACKET) {
    type = local_size(parser, type);
  }
  if (!report_failed(parser->report))
    stmt->target = declare(parser, name, type);
  return stmt;
}

static Stmt *statements(TckParser *parser, Stmt **last);

// "if" formula "then" statements [ "else" statements ] "end"
static Stmt *conditional(TckParser *parser) {
  Stmt *stmt = new_stmt(parser, STMT_IF, parser->token.offset);
  tck_advance(parser);
  const Term test = tck_formula(parser);
  stmt->value = term_condition_without_clocks(parser, &test, in_statement);
  tck_expect_word(parser, "then", "the condition of `if`");
  stmt->body = statements(parser, NULL);
  if (tck_accept_word(parser, "else"))
    stmt->other = statements(parser, NULL);
  tck_expect_word(parser, "end", "the statements of `if`");
  return stmt;
}

// "while" formula "do" statements "end"
static Stmt *loop(TckParser *parser) {
  TckScope *scope = parser->context;
  Stmt *stmt = new_stmt(parser, STMT_WHILE, parser->token.offset);
  tck_advance(parser);
  const Term test = tck_formula(parser);
  stmt->value = term_condition_without_clocks(parser, &test, in_statement);
  tck_expect_word(parser, "do", "the condition of `while`");
  const uint32_t outer = scope->locals.size;
  stmt->body = statements(parser, NULL);
  scope->locals.size = outer;
  tck_expect_word(parser, "end", "the statements of `while`");
  return stmt;
}

static Stmt *statement(TckParser *parser) {
  const uint32_t offset = parser->token.offset;
  if (tck_at_word(parser, "if"))
    return conditional(parser);
  if (tck_at_word(parser, "while"))
    return loop(parser);
  if (tck_at_word(parser, "local"))
    return local_variable(parser);
  if (tck_accept_word(parser, "nop"))
    return new_stmt(parser, STMT_NOP, offset);
  if (parser->token.kind == TOKEN_NAME && !tck_is_keyword(parser, parser->token))
    return assignment(parser);
  tck_fail_token(parser, "a statement");
  return new_stmt(parser, STMT_NOP, offset);
}

static bool at_end(const TckParser *parser) {
  return parser->token.kind == TOKEN_END || tck_at_word(parser, "end") ||
         tck_at_word(parser, "else");
}

// statement { ";" statement } [ ";" ]
static Stmt *statements(TckParser *parser, Stmt **end) {
  if (!tck_enter(parser))
    return NULL;
  Stmt *first = statement(parser), *last = first;
  while (tck_accept(parser, TOKEN_SEMICOLON) && !at_end(parser)) {
    Stmt *next = statement(parser);
    last->next = next;
    last = next;
  }
  tck_leave(parser);
  if (end)
    *end = last;
  return first;
}

Stmt *tck_statements(TckParser *parser, Stmt **last) {
  Stmt *first = statements(parser, last);
  if (tck_at_word(parser, "end") || tck_at_word(parser, "else"))
    tck_fail(parser, parser->token.offset, "`%s` belongs to no `if`%s",
             tck_token_text(parser, parser->token),
             tck_at_word(parser, "end") ? " and no `while`" : "");
  else if (parser->token.kind == TOKEN_COMMA)
    tck_fail(parser, parser->token.offset, "`,` does not separate statements; write `;`");
  else if (parser->token.kind != TOKEN_END)
    tck_fail_token(parser, "an operator, `;` or the end");
  return report_failed(parser->report) ? NULL : first;
}
