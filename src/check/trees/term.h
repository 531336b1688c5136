// Terms: what the second evaluator evaluates. They are syntax trees whose names are resolved, one
// tree for each process. Nothing here knows model/expr: types, layouts and meanings are found
// anew from the trees (check/trees/resolve.h), or from the text of a TChecker model
// (check/trees/tckterms.h), by what the guide says.
//
// A value of a type has a number of integers, clocks and channels, one after the other in its
// order: `data`, `clocks` and `channels` of its shape. An array has them element by element.
#pragma once

#include "model/syntax.h"

typedef enum ShapeKind {
  SHAPE_VOID,
  SHAPE_INT,
  SHAPE_CLOCK,
  SHAPE_CHANNEL,
  SHAPE_REAL, // known as constants only; else nothing is known of it
  SHAPE_ARRAY,
  SHAPE_STRUCT,
} ShapeKind;

typedef struct Shape Shape;

typedef struct ShapeField {
  const char *name;
  const Shape *shape;
  uint32_t data, clock, channel; // where it begins
} ShapeField;

struct Shape {
  ShapeKind kind;
  bool is_bool, is_plain; // SHAPE_INT; plain: `int` without a range
  bool is_const, is_meta, is_urgent, is_broadcast, is_hybrid;
  bool has_real;        // somewhere inside
  int32_t low, high;    // SHAPE_INT: empty if low > high
  const Shape *element; // SHAPE_ARRAY, indices first .. first + count - 1
  int32_t first;
  uint32_t count; // elements or fields
  const ShapeField *fields;
  uint32_t data, clocks, channels;
};

// The part k of an array or a struct, of `count`.
static inline ShapeField shape_part(const Shape *shape, uint32_t k) {
  const Shape *element = shape->element;
  return shape->kind == SHAPE_ARRAY ? (ShapeField){NULL, element, k * element->data,
                                                   k * element->clocks, k * element->channels}
                                    : shape->fields[k];
}

typedef enum TermClass {
  CLASS_INT,    // a number or a truth; with `is_timed` a condition on clocks
  CLASS_CLOCKS, // a clock, or a sum of clocks and numbers
  CLASS_WHOLE,  // an array or a struct, in `shape`
  CLASS_CHANNEL,
  CLASS_PROCESS, // one process, or one of several that `args` lists
  CLASS_REAL,
  CLASS_VOID,
} TermClass;

typedef enum TermKind {
  TERM_NUMBER, // value
  TERM_REAL,   // real
  TERM_TIME,   // time: a number that only clocks are compared with or set to
  // Storage:
  TERM_GLOBAL,    // at data, clock, channel
  TERM_LOCAL,     // at `data` of the frame
  TERM_REFERENCE, // what reference `data` of the frame stands for
  TERM_TABLE,     // constants in `table`
  TERM_INDEX,     // a[b]
  TERM_FIELD,     // field `value` of a
  // Values:
  TERM_NEG,
  TERM_NOT,
  TERM_BINARY, // a op b, EXPR_ADD .. EXPR_GE of numbers; with clocks: a sum or a comparison
  TERM_SAME,   // a op b, EXPR_EQ or EXPR_NE of arrays and structs
  TERM_AND,
  TERM_OR,
  TERM_IMPLY,
  TERM_XOR,
  TERM_POWER,
  TERM_ABS,
  TERM_COND,     // a ? b : c
  TERM_CALL,     // routine(args)
  TERM_QUANTIFY, // op; local `data` over low .. high; body a
  TERM_ASSIGN,   // a = b, or a op= b unless op is EXPR_CONST
  TERM_STEP,     // op; value: 1 if postfix
  TERM_AT,       // process `data` is in its location `value`
  TERM_CHOOSE,   // args[a - low]: what it is for each process that a can mean
  TERM_PROCESS,  // a process of `named`, by `args`; while names are resolved only
  TERM_DEADLOCK,
  TERM_RATE,    // a' == b in an invariant: true. a is NULL: no clock of the network; b: not known
  TERM_UNKNOWN, // a real number that is not known
} TermKind;

typedef struct Term Term;
typedef struct Routine Routine;

struct Term {
  TermKind kind;
  ExprKind op;
  TermClass class;
  bool is_timed;   // a clock constraint or `deadlock` is in it
  bool has_effect; // an assignment or a call is in it
  bool is_stored;  // it has a place: a variable, a constant array, or a part of one
  Place place;
  const Shape *shape; // of storage, and of CLASS_WHOLE
  int32_t value;
  int32_t low, high;
  uint32_t data, clock, channel;
  union {
    double real;
    int64_t time;
  };
  const int32_t *table;
  const Term *a, *b, *c;
  const Term **args;
  uint32_t arg_count;
  const Routine *routine;
  const struct Named *named;
};

typedef enum DeedKind {
  DEED_EFFECT,  // a, an expression that does something
  DEED_DEFAULT, // the local storage a gets the values in `table`
  DEED_SET,     // the local storage a gets the value of b
  DEED_IF,      // if (a) body else other
  DEED_WHILE,   // before, while (a) { body; before }
  DEED_DO,      // do { body; before } while (a)
  DEED_ITERATE, // local `data` over low .. high: body
  DEED_RETURN,
  DEED_ASSERT,
} DeedKind;

typedef struct Deed Deed;
struct Deed {
  DeedKind kind;
  Place place;
  const Term *a, *b;
  const int32_t *table;
  uint32_t data;
  int32_t low, high;
  const Deed *body, *other, *before;
  Deed *next;
};

// How a function sees what is passed to it: as reference `ref`, or, if it is UINT32_MAX, as a
// copy at `data` of its frame. There is room for a copy in both cases: constants have no other
// place.
typedef struct RoutineParam {
  const Shape *shape;
  uint32_t data, ref;
} RoutineParam;

struct Routine {
  const Shape *result;
  RoutineParam *params;
  uint32_t param_count;
  uint32_t data, refs; // of its frame
  const Deed *body;
};

// A label of the model: a condition or a list of updates, and the frame that it needs.
typedef struct Label {
  const Term *condition;
  const Deed *deeds;
  uint32_t data, refs;
  const char *unknown; // why it is not known, a sentence; NULL: it is known
  Place place;         // of that
} Label;
