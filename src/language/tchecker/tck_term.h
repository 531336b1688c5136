// Terms: parts of expressions of the TChecker language, and what operators do to them. All type
// errors of the language are reported here, except those of statements.
//
// Differences and sums of clocks exist only as terms: a comparison or an assignment makes an
// expression of them, or they are refused.
#pragma once

#include "language/tchecker/tck_parser.h"

typedef enum TermKind {
  TERM_INT,   // expr
  TERM_COND,  // expr, a condition
  TERM_CLOCK, // expr, a clock
  TERM_DIFF,  // clock expr - clock other
  TERM_SUM,   // clock expr + integer other
  TERM_ARRAY, // expr, storage of array type, not indexed yet
} TermKind;

struct Term {
  TermKind kind;
  const Expr *expr, *other;
  uint32_t begin, end; // where it is written
  uint32_t depth;      // of its tree, 1 for a leaf
  bool has_clock;      // a condition with a clock in it
  int64_t wide;        // a number that 32 bits do not hold, for clocks only; 0: it is none
};

// A leaf that begins at an offset and ends where the parser is.
Term term_leaf(const TckParser *, TermKind, const Expr *, uint32_t begin);
// A leaf made of storage: a number, a clock or an array, as its type says.
Term term_storage(const Expr *storage, Token);
// A stand-in after an error.
Term term_none(TckParser *);

// The term as an integer or as a condition, or an error. `where` ends the sentence "... is not
// allowed in".
const Expr *term_integer(TckParser *, const Term *, const char *where);
const Expr *term_condition(TckParser *, const Term *);
// An integer that a clock is compared with or set to, in the unit of the net.
const Expr *term_bound(TckParser *, const Term *, const char *where);
const Expr *term_condition_without_clocks(TckParser *, const Term *, const char *where);

Term term_negate(TckParser *, uint32_t begin, const Term *);                // -a
Term term_not(TckParser *, uint32_t begin, const Term *);                   // !a
Term term_sum(TckParser *, const Term *, TokenKind sign, const Term *);     // + -
Term term_product(TckParser *, const Term *, TokenKind sign, const Term *); // * / %
Term term_compare(TckParser *, const Term *, ExprKind op, const Term *);
Term term_connect(TckParser *, const Term *, ExprKind op, const Term *); // EXPR_AND, EXPR_OR
// (if test then a else b); the extent begins where told.
Term term_choose(TckParser *, uint32_t begin, const Term *test, const Term *a, const Term *b);
// An element of an array, or of a single variable, which is an array of one.
Term term_element(TckParser *, const Term *array, const Term *index);
