// Texts of UPPAAL's language and their syntax trees, written with parentheses, for the unit tests
// of the parser.
#pragma once

#include "language/uppaal/xml.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

typedef struct Parsing {
  Mem mem;
  Arena arena;
  Names names;
  Report report;
  Source source;
  Parser parser;
  Text text;
} Parsing;

static inline void parsing_begin(Parsing *p, const char *text, bool is_old) {
  memset(p, 0, sizeof *p);
  p->arena.mem = p->text.mem = &p->mem;
  p->source = (Source){.name = "text", .text = text, .size = strlen(text)};
  report_init(&p->report, &p->mem);
  names_init(&p->names, &p->arena);
  p->parser =
      (Parser){.arena = &p->arena, .report = &p->report, .names = &p->names, .is_old = is_old};
  parser_begin(&p->parser, &p->source, 0, (uint32_t)p->source.size,
               is_old ? TOKEN_OLD : TOKEN_MODEL);
}

static inline void parsing_end(Parsing *p) {
  parser_end(&p->parser);
  text_release(&p->text);
  report_release(&p->report);
  arena_release(&p->arena);
  assert_int_equal(p->mem.bytes, 0);
}

static inline void parsing_tree(Text *text, const Tree *tree) {
  static const char *const kinds[] = {[NODE_DOUBLE] = "double", [NODE_STRING] = "string",
                                      [NODE_INDEX] = "index",   [NODE_DOT] = "dot",
                                      [NODE_CALL] = "call",     [NODE_RATE] = "rate",
                                      [NODE_UNARY] = "unary",   [NODE_BINARY] = "binary",
                                      [NODE_IMPLY] = "imply",   [NODE_POWER] = "power",
                                      [NODE_COND] = "cond",     [NODE_ASSIGN] = "assign",
                                      [NODE_STEP] = "step",     [NODE_QUANTIFY] = "quantify",
                                      [NODE_LIST] = "list",     [NODE_DEADLOCK] = "deadlock",
                                      [NODE_XOR] = "xor"};
  static const char *const operators[] = {
      [EXPR_NEG] = "-", [EXPR_NOT] = "!", [EXPR_ADD] = "+", [EXPR_SUB] = "-",
      [EXPR_MUL] = "*", [EXPR_DIV] = "/", [EXPR_MOD] = "%", [EXPR_EQ] = "==",
      [EXPR_NE] = "!=", [EXPR_LT] = "<",  [EXPR_LE] = "<=", [EXPR_GT] = ">",
      [EXPR_GE] = ">=", [EXPR_AND] = "&", [EXPR_OR] = "|",  [EXPR_FORALL] = "forall"};
  if (tree->kind == NODE_NUMBER) {
    text_addf(text, "%d", (int)tree->value);
    return;
  }
  if (tree->kind == NODE_NAME) {
    text_add(text, tree->name);
    return;
  }
  const size_t count = sizeof operators / sizeof *operators;
  const char *op = tree->op < count ? operators[tree->op] : NULL;
  text_addf(text, "(%s",
            op && (tree->kind == NODE_BINARY || tree->kind == NODE_UNARY) ? op
                                                                          : kinds[tree->kind]);
  if (tree->name)
    text_addf(text, " %s", tree->name);
  const Tree *const parts[] = {tree->a, tree->b, tree->c};
  for (int k = 0; k < 3; k++)
    for (const Tree *part = parts[k]; part; part = k == 1 ? part->next : NULL) {
      text_add_char(text, ' ');
      parsing_tree(text, part);
    }
  text_add_char(text, ')');
}
