// The parser: recursive descent over an array of tokens. After an error the parser sees only the
// end of the text, until the caller of the construct recovers at the next declaration; so each
// construct reports one error, and the next ones are still read.
#pragma once

#include "language/uppaal/names.h"
#include "language/uppaal/token.h"
#include "model/syntax.h"

enum { PARSER_MAX_DEPTH = 400, PARSER_MAX_TREE = 4000 };

typedef struct Parser {
  Arena *arena;
  Report *report;
  Names *names;
  const Source *source;
  UTokens tokens;
  uint32_t at;
  UToken token;       // the present one; UT_END after an error
  bool panic;         // there was an error, not recovered from yet
  bool is_old;        // the syntax of UPPAAL 3
  bool is_text;       // .xta: the words of its grammar are reserved
  bool is_query;      // `deadlock` is reserved
  uint32_t depth;     // of nested constructs
  uint32_t failures;  // errors so far
  bool has_own_words; // a type is called like a misspelt word
  uint32_t noted;     // up to where comments in a process were kept
  bool has_broken;    // a statement of the present function could not be read
  Damage *damage;     // what is left unread; NULL: not wanted
} Parser;

// A parser of a text. The tokens are dropped by parser_end.
void parser_begin(Parser *, const Source *, uint32_t begin, uint32_t end, TokenMode);
void parser_end(Parser *);

void parser_next(Parser *);
bool parser_accept(Parser *, int kind);
bool parser_accept_word(Parser *, Word);
bool parser_at(const Parser *, int kind);
bool parser_at_word(const Parser *, Word);
const UToken *parser_ahead(const Parser *, uint32_t count);
void parser_expect(Parser *, int kind, const char *what);
void parser_expected(Parser *, const char *what); // the error that this is not here
void parser_expect_end(Parser *);
Place parser_place(const Parser *);
LabelNode parser_label(const Parser *, uint32_t begin); // the text from there to here
const char *parser_name(Parser *, const char *what);    // NULL after an error
const char *parser_meant(const Parser *); // the word that was meant by a misspelt one; or NULL
// If a misspelt word stands here, and one of `words` was meant: an error, and it is read as that.
bool parser_correct(Parser *, const char *words);
bool parser_at_name(const Parser *); // a word that is not reserved
bool parser_enter(Parser *); // one level deeper (p->depth); false, and an error, if too deep
void parser_fail(Parser *, Place, const char *format, ...) __attribute__((format(printf, 3, 4)));
// What may be given once is given at `place`. Fails if `first` says that it was given before.
void parser_once(Parser *, Place *first, Place place, const char *what);
// After an error in the construct that begins with token `start`: goes on behind the `;` or the
// body that ends it, or before the `}` that ends the block around it.
bool parser_recover(Parser *, uint32_t start); // whether there was an error
// The names from token `start` to the present one may be declared there, but were not read.
void parser_doubt(Parser *, uint32_t start);
bool parser_begins_item(const Parser *); // of .xta: the token here, also after an error

// What stands here begins nothing: an error, unless this is the end. Goes on where something
// begins; false at the end.
bool parser_skip_stray(Parser *, const char *expected);
// Goes behind the `}` of the next block, or to the end.
void parser_skip_block(Parser *);

// Expressions (parse_expr.c).
const Tree *parse_expr(Parser *);        // assignments included
const Tree *parse_unary(Parser *);       // without binary operators
const Tree *parse_operand(Parser *);     // without `&&`, `||` and those that bind less
const Tree *parse_list(Parser *);        // expr { "," expr }, linked; NULL if there is none
const Tree *parse_conjunction(Parser *); // an expression; in the old syntax a list
Tree *parse_node(Parser *, NodeKind, Place);

// Types (parse_type.c).
bool parse_at_type(const Parser *); // a type begins here, a name excluded
const TypeNode *parse_type(Parser *);
const DimNode *parse_dimensions(Parser *); // { "[" (expr | type) "]" }

// Declarations and statements (parse_decl.c). A list of declarations ends before what is none.
DeclNode *parse_declarations(Parser *);
const VarNode *parse_parameters(Parser *);          // without the parentheses
VarNode *parse_binding(Parser *, const char *what); // NAME ":" type
const VarNode *parse_bindings(Parser *);            // of a select label
const StmtNode *parse_block(Parser *);
DeclNode *parse_instance(Parser *); // NAME [ "(" params ")" ] "=" NAME "(" args ")" ";"

// Processes and the system line (parse_system.c).
void parse_text(Parser *, Document *);   // a whole .xta or .ta
void parse_system(Parser *, Document *); // what stands in <system> or <instantiation>
bool parse_at_trailer(const Parser *);   // `progress`, `gantt` or `IO P {` begins here
void parse_sync(Parser *, EdgeNode *);
void parse_rate(Parser *, LocationNode *); // expr [ ":" expr ]
// What comes behind the word that begins the part at `place`; `given` are the places of the
// parts.
void parse_edge_part(Parser *, EdgeNode *, EdgePart, Place place, Place *given);
void parse_forget_part(EdgeNode *, EdgePart); // it could not be read
