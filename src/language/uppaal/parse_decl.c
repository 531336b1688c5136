// Declarations, functions and their statements.
#include "language/uppaal/parser.h"

static DeclNode *new_decl(Parser *p, DeclNodeKind kind) {
  DeclNode *decl = ARENA_NEW(p->arena, DeclNode);
  decl->kind = kind;
  decl->place = parser_place(p);
  return decl;
}

// [ "&" ] NAME dims
static VarNode *declarator(Parser *p, const TypeNode *type, const char *what) {
  VarNode *var = ARENA_NEW(p->arena, VarNode);
  var->type = type;
  var->is_reference = parser_accept(p, '&');
  var->place = parser_place(p);
  var->name = parser_name(p, what);
  var->dims = parse_dimensions(p);
  return var;
}

// In the old syntax parameters are separated by `;` and are references, constants excepted;
// several share a type: (clock x, y; const n).
static const VarNode *old_parameters(Parser *p) {
  VarNode *first = NULL, **last = &first;
  do {
    if (parser_at(p, ')') || parser_at(p, UT_END))
      break;
    const TypeNode *type = parse_type(p);
    do {
      VarNode *var = declarator(p, type, "the name of a parameter");
      var->is_reference = !type->is_const;
      *last = var;
      last = &var->next;
    } while (parser_accept(p, ','));
  } while (parser_accept(p, ';'));
  return first;
}

// [ type [ "&" ] NAME dims { "," ... } ]
const VarNode *parse_parameters(Parser *p) {
  VarNode *first = NULL, **last = &first;
  if (p->is_old)
    return old_parameters(p);
  if (parser_at(p, ')') || parser_at(p, UT_END))
    return NULL;
  do {
    const TypeNode *type = parse_type(p);
    VarNode *var = declarator(p, type, "the name of a parameter");
    *last = var;
    last = &var->next;
  } while (parser_accept(p, ','));
  return first;
}

VarNode *parse_binding(Parser *p, const char *what) {
  VarNode *var = ARENA_NEW(p->arena, VarNode);
  var->place = parser_place(p);
  var->name = parser_name(p, what);
  parser_expect(p, ':', "`:`");
  var->type = parse_type(p);
  return var;
}

// binding { "," binding }
const VarNode *parse_bindings(Parser *p) {
  VarNode *first = NULL, **last = &first;
  do {
    VarNode *var = parse_binding(p, "the name of a selected value");
    *last = var;
    last = &var->next;
  } while (parser_accept(p, ',') && !parser_at(p, UT_END));
  return first;
}

// type declarator [ "=" value ] { "," ... } ";" as declarations in a list
static void variables(Parser *p, const TypeNode *type, DeclNode *first) {
  DeclNode *decl = first;
  VarNode *var = declarator(p, type, "the name of a variable");
  for (;;) {
    decl->kind = DECL_VARIABLE;
    decl->var = var;
    if (parser_accept(p, UT_SET) || (p->is_old && type->is_const && !parser_at(p, ';')))
      var->init = parse_expr(p);
    if (!parser_accept(p, ','))
      break;
    decl->next = new_decl(p, DECL_VARIABLE);
    decl = decl->next;
    var = declarator(p, type, "the name of a variable");
  }
  parser_expect(p, ';', "`;`");
}

// "typedef" type NAME dims { "," ... } ";"
static void type_definitions(Parser *p, DeclNode *decl) {
  parser_next(p);
  const TypeNode *type = parse_type(p);
  for (;;) {
    decl->kind = DECL_TYPEDEF;
    p->has_own_words |= parser_meant(p) != NULL;
    decl->var = declarator(p, type, "the name of the type");
    if (!parser_accept(p, ','))
      break;
    decl->next = new_decl(p, DECL_TYPEDEF);
    decl = decl->next;
  }
  parser_expect(p, ';', "`;`");
}

// "chan" "priority" item { ("," | "<") item } ";" with item: channel or "default"
static void channel_priorities(Parser *p, DeclNode *decl) {
  LevelNode **last = &decl->levels;
  uint32_t level = 0;
  decl->kind = DECL_PRIORITY;
  parser_next(p);
  parser_next(p);
  do {
    LevelNode *item = ARENA_NEW(p->arena, LevelNode);
    item->level = level;
    if (!parser_accept_word(p, WORD_default))
      item->expr = parse_unary(p);
    *last = item;
    last = &item->next;
    level += parser_at(p, '<');
  } while (parser_accept(p, ',') || parser_accept(p, '<'));
  parser_expect(p, ';', "`;`");
}

// Statements.

static StmtNode *statement(Parser *p);

static StmtNode *new_stmt(Parser *p, StmtNodeKind kind) {
  StmtNode *stmt = ARENA_NEW(p->arena, StmtNode);
  stmt->kind = kind;
  stmt->place = parser_place(p);
  return stmt;
}

// { expr "," } expr: the last one is the condition, the others come before it
static const Tree *condition(Parser *p, StmtNode *stmt) {
  Tree *first = NULL, **last = &first;
  const Tree *value = parse_expr(p);
  while (parser_accept(p, ',')) {
    *last = ARENA_NEW(p->arena, Tree);
    **last = *value;
    (*last)->next = NULL;
    last = &(*last)->next;
    value = parse_expr(p);
  }
  stmt->before = first;
  return value;
}

// After an error in parentheses that open at token `open`: the `;` in them end no statement.
static void pass_header(Parser *p, uint32_t open) {
  uint32_t depth = 0;
  for (uint32_t at = open; p->tokens.items[at].kind != UT_END; at++) {
    const int kind = p->tokens.items[at].kind;
    depth += kind == '(';
    if (kind == '{' || kind == '}' || (kind == ')' && !--depth))
      return;
    p->at = at > p->at ? at : p->at;
  }
}

// "for" "(" NAME ":" type ")" statement
// | "for" "(" [list] ";" [condition] ";" [list] ")" statement
static StmtNode *for_statement(Parser *p) {
  StmtNode *stmt = new_stmt(p, STMTNODE_FOR);
  parser_next(p);
  const uint32_t open = p->at;
  parser_expect(p, '(', "`(`");
  if (parser_at_name(p) && parser_ahead(p, 1)->kind == ':') {
    stmt->kind = STMTNODE_ITERATE;
    stmt->var = parse_bindings(p);
  } else {
    stmt->a = parser_at(p, ';') ? NULL : parse_list(p);
    parser_expect(p, ';', "`;`");
    stmt->b = parser_at(p, ';') ? NULL : condition(p, stmt);
    parser_expect(p, ';', "`;`");
    stmt->c = parser_at(p, ')') ? NULL : parse_list(p);
  }
  parser_expect(p, ')', "`)`");
  if (p->panic)
    pass_header(p, open);
  stmt->body = statement(p);
  return stmt;
}

// "do" statement "while" "(" condition ")" ";"
static StmtNode *do_statement(Parser *p) {
  StmtNode *stmt = new_stmt(p, STMTNODE_DO);
  parser_next(p);
  stmt->body = statement(p);
  if (!parser_accept_word(p, WORD_while))
    parser_expected(p, "`while`");
  parser_expect(p, '(', "`(`");
  stmt->a = condition(p, stmt);
  parser_expect(p, ')', "`)`");
  parser_expect(p, ';', "`;`");
  return stmt;
}

static StmtNode *if_or_while(Parser *p) {
  const bool is_if = parser_at_word(p, WORD_if);
  StmtNode *stmt = new_stmt(p, is_if ? STMTNODE_IF : STMTNODE_WHILE);
  parser_next(p);
  parser_expect(p, '(', "`(`");
  stmt->a = condition(p, stmt);
  parser_expect(p, ')', "`)`");
  stmt->body = statement(p);
  if (is_if && parser_accept_word(p, WORD_else))
    stmt->other = statement(p);
  return stmt;
}

static StmtNode *plain_statement(Parser *p) {
  StmtNode *stmt = new_stmt(p, STMTNODE_EMPTY);
  if (parser_accept(p, ';'))
    return stmt;
  if (parser_accept_word(p, WORD_return)) {
    stmt->kind = STMTNODE_RETURN;
    stmt->a = parser_at(p, ';') ? NULL : parse_expr(p);
  } else if (parser_at_word(p, WORD_assert) && parser_ahead(p, 1)->kind != UT_SET) {
    parser_next(p);
    stmt->kind = STMTNODE_ASSERT;
    stmt->a = parse_expr(p);
  } else {
    stmt->kind = STMTNODE_EXPR;
    stmt->a = parse_list(p);
  }
  parser_expect(p, ';', "`;`");
  return stmt;
}

static StmtNode *statement(Parser *p) {
  StmtNode *stmt;
  if (++p->depth > PARSER_MAX_DEPTH) {
    parser_fail(p, parser_place(p), "statements are nested more than %d levels deep",
                PARSER_MAX_DEPTH);
    stmt = new_stmt(p, STMTNODE_EMPTY);
  } else if (parser_at(p, '{')) {
    stmt = ARENA_NEW(p->arena, StmtNode);
    *stmt = *parse_block(p);
  } else if (parser_at_word(p, WORD_for)) {
    stmt = for_statement(p);
  } else if (parser_at_word(p, WORD_do)) {
    stmt = do_statement(p);
  } else if (parser_at_word(p, WORD_if) || parser_at_word(p, WORD_while)) {
    stmt = if_or_while(p);
  } else {
    stmt = plain_statement(p);
  }
  p->depth--;
  return stmt;
}

// A declaration begins with a type: a type word, or two names in a row.
static bool at_declaration(const Parser *p) {
  if (parse_at_type(p) || parser_at_word(p, WORD_typedef))
    return true;
  if (parser_at_word(p, WORD_assert) || parse_at_trailer(p)) // a name follows, but no type begins
    return false;
  if (p->is_text && !p->has_own_words && parser_meant(p))
    return false;
  return parser_at_name(p) && parser_ahead(p, 1)->kind == UT_NAME &&
         parser_ahead(p, 1)->word != WORD_and && parser_ahead(p, 1)->word != WORD_or &&
         parser_ahead(p, 1)->word != WORD_imply && parser_ahead(p, 1)->word != WORD_xor;
}

static DeclNode *declaration(Parser *p);

static void add_declarations(DeclNode ***last, DeclNode *decl) {
  **last = decl;
  while (**last)
    *last = &(**last)->next;
}

// "{" { declaration } { statement } "}"; declarations may come later, too
const StmtNode *parse_block(Parser *p) {
  StmtNode *block = new_stmt(p, STMTNODE_BLOCK), **last = NULL;
  StmtNode *first = NULL;
  last = &first;
  parser_expect(p, '{', "`{`");
  while (!parser_at(p, '}') && !parser_at(p, UT_END) && !p->panic && !parser_begins_item(p)) {
    const uint32_t start = p->at;
    StmtNode *stmt;
    if (at_declaration(p)) {
      stmt = new_stmt(p, STMTNODE_BLOCK);
      stmt->decls = declaration(p);
      if (stmt->decls->kind == DECL_FUNCTION)
        parser_fail(p, stmt->place, "a function cannot stand inside of another");
      stmt->var = NULL;
    } else {
      stmt = statement(p);
    }
    const bool is_declaration = stmt->decls;
    if (p->panic)
      *stmt = (StmtNode){.kind = STMTNODE_EMPTY, .place = stmt->place};
    *last = stmt;
    last = &stmt->next;
    if (parser_recover(p, start)) {
      p->has_broken = true;
      if (is_declaration)
        parser_doubt(p, start);
    }
    if (p->at == start)
      break;
  }
  parser_expect(p, '}', "`}`");
  block->body = first;
  return block;
}

// type NAME "(" params ")" block
static void function(Parser *p, const TypeNode *type, DeclNode *decl) {
  FunctionNode *function = ARENA_NEW(p->arena, FunctionNode);
  decl->kind = DECL_FUNCTION;
  decl->function = function;
  function->result = type;
  function->place = parser_place(p);
  function->name = parser_name(p, "the name of a function");
  parser_expect(p, '(', "`(`");
  function->params = parse_parameters(p);
  parser_expect(p, ')', "`)`");
  p->has_broken = false;
  function->body = parse_block(p);
  function->is_broken = p->has_broken;
}

// ("before_update" | "after_update") "{" list "}" or a block of statements
static void update_hook(Parser *p, DeclNode *decl) {
  decl->kind = parser_at_word(p, WORD_before_update) ? DECL_BEFORE : DECL_AFTER;
  parser_next(p);
  StmtNode *block = new_stmt(p, STMTNODE_BLOCK), *first = NULL, **last = &first;
  parser_expect(p, '{', "`{`");
  while (!parser_at(p, '}') && !p->panic) {
    StmtNode *stmt;
    if (parser_at(p, '{') || parser_at_word(p, WORD_for) || parser_at_word(p, WORD_if) ||
        parser_at_word(p, WORD_while) || parser_at(p, ';')) {
      stmt = statement(p);
    } else {
      stmt = new_stmt(p, STMTNODE_EXPR);
      stmt->a = parse_list(p);
      if (!parser_accept(p, ';') && !parser_at(p, '}'))
        parser_expect(p, ';', "`;` or `}`");
    }
    *last = stmt;
    last = &stmt->next;
  }
  parser_expect(p, '}', "`}`");
  block->body = first;
  decl->body = block;
}

// Skips "{ ... }" and what stands before it, or up to a `;`.
static void skip_braces(Parser *p) {
  while (!parser_at(p, '{') && !parser_at(p, ';') && !parser_at(p, UT_END))
    parser_next(p);
  if (parser_accept(p, ';'))
    return;
  parser_skip_block(p);
}

static void refused(Parser *p, DeclNode *decl, const char *what) {
  decl->kind = DECL_REFUSED;
  decl->name = what;
  skip_braces(p);
}

// "import" STRING "{" { [ NAME "=" ] type NAME "(" ... ")" ";" } "}", as a list of names
static void imported(Parser *p, DeclNode *decl) {
  parser_next(p);
  parser_next(p);
  decl->kind = DECL_IMPORTED; // without a name: the block itself
  if (!parser_accept(p, '{')) {
    parser_expect(p, ';', "`{` or `;`");
    return;
  }
  while (!parser_at(p, '}') && !p->panic) {
    DeclNode *function = new_decl(p, DECL_IMPORTED);
    while (!parser_at(p, '(') && !parser_at(p, UT_END)) {
      if (parser_at_name(p) && !function->name &&
          (parser_ahead(p, 1)->kind == UT_SET || parser_ahead(p, 1)->kind == '(')) {
        function->place = parser_place(p);
        function->name = parser_name(p, "the name of a function");
      } else {
        parser_next(p);
      }
    }
    while (!parser_at(p, ';') && !parser_at(p, UT_END))
      parser_next(p);
    parser_expect(p, ';', "`;`");
    decl->next = function;
    decl = function;
  }
  parser_expect(p, '}', "`}`");
  parser_accept(p, ';');
}

static DeclNode *declaration(Parser *p) {
  DeclNode *decl = new_decl(p, DECL_VARIABLE);
  if (parser_at_word(p, WORD_typedef)) {
    type_definitions(p, decl);
  } else if (parser_at_word(p, WORD_chan) && parser_ahead(p, 1)->word == WORD_priority) {
    channel_priorities(p, decl);
  } else if (parser_at_word(p, WORD_before_update) || parser_at_word(p, WORD_after_update)) {
    update_hook(p, decl);
  } else if (parser_at_word(p, WORD_import) && parser_ahead(p, 1)->kind == UT_STRING) {
    imported(p, decl);
  } else if (parser_at_word(p, WORD_dynamic) && parser_ahead(p, 1)->kind == UT_NAME) {
    refused(p, decl, "dynamic templates");
  } else {
    const TypeNode *type = parse_type(p);
    if (parser_at_name(p) && parser_ahead(p, 1)->kind == '(')
      function(p, type, decl);
    else
      variables(p, type, decl);
  }
  return decl;
}

// NAME [ "(" params ")" ] ("=" | ":=") NAME [ "(" args ")" ] ";"
DeclNode *parse_instance(Parser *p) {
  DeclNode *decl = new_decl(p, DECL_INSTANCE);
  decl->name = parser_name(p, "the name of a process");
  if (parser_accept(p, '(')) {
    decl->params = parse_parameters(p);
    parser_expect(p, ')', "`)`");
  }
  parser_expect(p, UT_SET, "`=` and a template");
  decl->template_name = parser_name(p, "the name of a template");
  if (parser_accept(p, '(')) {
    decl->list = parser_at(p, ')') ? NULL : parse_list(p);
    parser_expect(p, ')', "`)`");
  }
  parser_expect(p, ';', "`;`");
  return decl;
}

static bool at_global_declaration(const Parser *p) {
  return at_declaration(p) || parser_at_word(p, WORD_before_update) ||
         parser_at_word(p, WORD_after_update) ||
         (parser_at_word(p, WORD_import) && parser_ahead(p, 1)->kind == UT_STRING);
}

DeclNode *parse_declarations(Parser *p) {
  DeclNode *first = NULL, **last = &first;
  for (;;) {
    const uint32_t start = p->at;
    if (parser_accept(p, ';'))
      continue;
    if (!at_global_declaration(p))
      return first;
    DeclNode **added = last;
    add_declarations(&last, declaration(p));
    if (!parser_recover(p, start))
      continue;
    parser_doubt(p, start);
    for (DeclNode *decl = *added; decl; decl = decl->next)
      decl->is_broken = true;
  }
}
