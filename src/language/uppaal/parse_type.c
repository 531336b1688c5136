// Types and array dimensions.
#include "language/uppaal/parser.h"

bool parse_at_type(const Parser *p) {
  if (p->token.kind != UT_NAME)
    return false;
  switch (p->token.word) {
  case WORD_bool:
  case WORD_broadcast:
  case WORD_chan:
  case WORD_clock:
  case WORD_const:
  case WORD_int:
  case WORD_meta:
  case WORD_scalar:
  case WORD_struct:
  case WORD_urgent:
  case WORD_void:
    return true;
  case WORD_double:
  case WORD_hybrid:
  case WORD_string:
    return parser_ahead(p, 1)->kind == UT_NAME || parser_ahead(p, 1)->kind == '&';
  default:
    return false;
  }
}

static bool prefix(Parser *p, TypeNode *type) {
  if (parser_accept_word(p, WORD_const))
    type->is_const = true;
  else if (parser_accept_word(p, WORD_meta))
    type->is_meta = true;
  else if (parser_accept_word(p, WORD_urgent))
    type->is_urgent = true;
  else if (parser_accept_word(p, WORD_broadcast))
    type->is_broadcast = true;
  else if (parser_at_word(p, WORD_hybrid) && parser_ahead(p, 1)->word == WORD_clock) {
    parser_next(p);
    type->is_hybrid = true;
  } else
    return false;
  return true;
}

// type NAME dims { "," NAME dims } ";", of a struct
static void fields(Parser *p, TypeNode *type) {
  VarNode *last = NULL;
  parser_expect(p, '{', "`{`");
  while (!parser_at(p, '}') && !p->panic) {
    const TypeNode *field_type = parse_type(p);
    do {
      VarNode *field = ARENA_NEW(p->arena, VarNode);
      field->type = field_type;
      field->place = parser_place(p);
      field->name = parser_name(p, "the name of a field");
      field->dims = parse_dimensions(p);
      if (last)
        last->next = field;
      else
        type->fields = field;
      last = field;
    } while (parser_accept(p, ','));
    parser_expect(p, ';', "`;`");
  }
  parser_expect(p, '}', "`}`");
}

static void plain_type(Parser *p, TypeNode *type) {
  const Word word = p->token.kind == UT_NAME ? p->token.word : WORD_none;
  const bool is_type = parse_at_type(p) || word == WORD_double || word == WORD_string;
  type->kind = TYPENODE_NAME;
  if (!is_type) {
    // In the old syntax a constant has no type.
    if (type->is_const && p->is_old && parser_at_name(p) && parser_ahead(p, 1)->kind != UT_NAME) {
      type->kind = TYPENODE_INT;
      return;
    }
    type->name = parser_name(p, "a type");
    return;
  }
  type->kind = word == WORD_int      ? TYPENODE_INT
               : word == WORD_bool   ? TYPENODE_BOOL
               : word == WORD_clock  ? TYPENODE_CLOCK
               : word == WORD_chan   ? TYPENODE_CHAN
               : word == WORD_scalar ? TYPENODE_SCALAR
               : word == WORD_struct ? TYPENODE_STRUCT
               : word == WORD_double ? TYPENODE_DOUBLE
               : word == WORD_string ? TYPENODE_STRING
                                     : TYPENODE_VOID;
  parser_next(p);
  if (type->kind == TYPENODE_STRUCT)
    fields(p, type);
  if (type->kind == TYPENODE_INT && parser_at(p, '[')) {
    parser_next(p);
    type->a = parse_expr(p);
    parser_expect(p, ',', "`,` and the upper end of the range");
    type->b = parse_expr(p);
    parser_expect(p, ']', "`]`");
  }
  if (type->kind == TYPENODE_SCALAR) {
    parser_expect(p, '[', "`[` and the size");
    type->a = parse_expr(p);
    parser_expect(p, ']', "`]`");
  }
}

// { prefix } type
const TypeNode *parse_type(Parser *p) {
  TypeNode *type = ARENA_NEW(p->arena, TypeNode);
  type->place = parser_place(p);
  if (parser_enter(p)) {
    while (prefix(p, type)) {
    }
    plain_type(p, type);
  }
  p->depth--;
  return type;
}

// { "[" (expr | type) "]" }
const DimNode *parse_dimensions(Parser *p) {
  DimNode *first = NULL, **last = &first;
  while (parser_accept(p, '[')) {
    DimNode *dim = ARENA_NEW(p->arena, DimNode);
    if (parse_at_type(p))
      dim->type = parse_type(p);
    else
      dim->size = parse_expr(p);
    parser_expect(p, ']', "`]`");
    *last = dim;
    last = &dim->next;
  }
  return first;
}
