// Typed expressions and statements, the common form of both front ends: names are resolved,
// types are checked, places are kept for messages. Trees live in the arena of their net.
//
// Storage: a *slot* is an index into a discrete state (model/state.h): the integer variables
// come first, in order of declaration, then one slot per process with the local index of its
// location. A *local* is an index into the frame of the code being run
// (parameters and local variables of a function, `local` variables of an attribute, bound
// variables of quantifiers and `select`). A *clock* is a ClockIndex, 1-based: 0 is constant zero.
#pragma once

#include "base/report.h"
#include "model/expr/real.h"
#include "model/expr/type.h"

typedef uint32_t ClockIndex;

typedef enum ExprKind {
  EXPR_CONST, // value
  EXPR_VAR,   // global storage: `base` is its first slot
  EXPR_LOCAL, // frame storage: `base` is its first local
  EXPR_CLOCK, // clock storage: `base` is the first clock
  EXPR_INDEX, // a[b]; a is storage of array type
  EXPR_FIELD, // a.name; a is storage of struct type, `base` the offset in slots
  EXPR_AT,    // a process is in its location `value` (local index): slot `base` holds it
  EXPR_NEG,   // -a
  EXPR_NOT,   // !a
  // clang-format off
  EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_DIV, EXPR_MOD,
  EXPR_MIN, EXPR_MAX, EXPR_BIT_AND, EXPR_BIT_OR, EXPR_BIT_XOR, EXPR_SHL, EXPR_SHR,
  EXPR_EQ, EXPR_NE, EXPR_LT, EXPR_LE, EXPR_GT, EXPR_GE,
  EXPR_AND, EXPR_OR,
  EXPR_COND,       // a ? b : c
  EXPR_CALL,       // function `function` with `args`
  EXPR_FORALL, EXPR_EXISTS, EXPR_SUM, // local `base` over low .. high; body a
  // clang-format on
  EXPR_TABLE, // constants: `table` has the values, which are at `base` in Net.tables
  // Storage of a function's caller, passed by reference: local `base` holds where it is
  // (EXPR_ADDRESS).
  EXPR_REMOTE,
  EXPR_ASSIGN,     // integer storage a = b; the value is what was stored
  EXPR_ADDRESS,    // where the storage a of this frame or of a caller is, for an EXPR_REMOTE
  EXPR_CLOCK_TEST, // clock a - clock b (b may be NULL) `op` integer c
  EXPR_DEADLOCK,   // no delay leads to an action; in queries only
  // Real numbers; EXPR_NEG, the operators EXPR_ADD .. EXPR_DIV, EXPR_MIN, EXPR_MAX, comparisons,
  // EXPR_COND and EXPR_SUM take them, too, if all operands are real.
  EXPR_REAL,        // `real`
  EXPR_OF_INT,      // integer a as a real number
  EXPR_MATH,        // function `value` of model/expr/real.h with the arguments a, b, c
  EXPR_CLOCK_VALUE, // what clock a shows, as a real number; statistical queries only
} ExprKind;

typedef struct Function Function;
typedef struct Stmt Stmt;
typedef struct Expr Expr;

struct Expr {
  ExprKind kind;
  ExprKind op;      // EXPR_CLOCK_TEST: EXPR_EQ, NE, LT, LE, GT or GE (NE in queries only)
  const Type *type; // of the value; TYPE_CLOCK for clocks; bool for conditions
  Place place;
  const char *name; // storage, fields and EXPR_AT: as written, for printing
  int32_t value;
  union {
    int64_t
        wide;    // EXPR_CONST of a clock that 32 bits do not hold, cut in `value`; 0: it is value
    double real; // EXPR_REAL
  };
  int64_t unit;      // EXPR_CONST of a clock: the source has so much of it (model/scale.h); 0: 1
  int32_t low, high; // quantifiers: the range of the bound local
  uint32_t base;
  const int32_t *table;
  const Expr *a, *b, *c;
  const Function *function;
  const Expr *const *args;
  uint32_t arg_count;
};

typedef enum StmtKind {
  STMT_NOP,
  STMT_ASSIGN,       // integer storage `target` = value
  STMT_CLOCK_ASSIGN, // clock `target` = source (clock, may be NULL) + value (may be NULL)
  STMT_IF,           // if (condition) body else other
  STMT_WHILE,        // while (condition) body
  STMT_DO,           // do body while (condition)
  STMT_LOCAL,        // local storage `target` comes to life: set to value, or zeroes if NULL
  STMT_RETURN,       // value may be NULL
  STMT_CALL,         // value is computed for its effects, the result is dropped
  STMT_ASSERT,       // an error unless the value is true
} StmtKind;

struct Stmt {
  StmtKind kind;
  Place place;
  const Expr *target, *source, *value; // value is also the condition
  const Stmt *body, *other;
  const Stmt *next; // the statement after this one
};

struct Function {
  const char *name;
  const Type *result;
  const Type *const *params; // passed by value, in locals 0, 1, ...
  uint32_t param_count;
  uint32_t local_slots; // size of the frame, parameters included
  const Stmt *body;
  uint32_t id; // index in Net.functions
};

// Makers; all check nothing (the front end has checked), compute the type, fold constants
// where no run-time error is lost (`1 && c` is c if c is a condition). Names are not copied.
Expr *expr_const(Arena *, Place, int32_t value);
Expr *expr_time(Arena *, Place, int64_t value); // of a clock: 32 bits need not hold it
Expr *expr_unary(Arena *, Place, ExprKind, const Expr *a);
Expr *expr_binary(Arena *, Place, ExprKind, const Expr *a, const Expr *b);
Expr *expr_cond(Arena *, Place, const Expr *a, const Expr *b, const Expr *c);
Expr *expr_storage(Arena *, Place, ExprKind, const char *name, const Type *, uint32_t base);
Expr *expr_index(Arena *, Place, const Expr *array, const Expr *index);
Expr *expr_field(Arena *, Place, const Expr *record, const Field *);
// `slot` holds the location of the process: Net.location_slot + process, which is known
// once all variables are declared.
Expr *expr_at(Arena *, Place, const char *name, uint32_t slot, int32_t location);
Expr *expr_table(Arena *, Place, const char *name, const Type *, const int32_t *table,
                 uint32_t base);
Expr *expr_assign(Arena *, Place, const Expr *target, const Expr *value);
Expr *expr_address(Arena *, Place, const Expr *storage);
Expr *expr_call(Arena *, Place, const Function *, const Expr *const *args);
Expr *expr_quantifier(Arena *, Place, ExprKind, uint32_t local, int32_t low, int32_t high,
                      const Expr *body);
Expr *expr_clock_test(Arena *, Place, const Expr *x, const Expr *y, ExprKind op,
                      const Expr *bound);

Expr *expr_deadlock(Arena *, Place);

Expr *expr_real(Arena *, Place, double value);
Expr *expr_of_int(Arena *, Place, const Expr *a);
Expr *expr_math(Arena *, Place, uint32_t function, const Expr *const args[3]);
Expr *expr_clock_value(Arena *, Place, const Expr *clock);
bool expr_is_real(const Expr *, double *value); // a constant real number
RealOp expr_real_op(ExprKind);                  // of an operator or a comparison

// The parts of an expression: a, b, c, of which some may be NULL, and the arguments of a call.
static inline uint32_t expr_part_count(const Expr *expr) { return 3 + expr->arg_count; }
static inline const Expr *expr_part(const Expr *expr, uint32_t k) {
  const Expr *const own[] = {expr->a, expr->b, expr->c};
  return k < 3 ? own[k] : expr->args[k - 3];
}

// Whether a test is true of the expression or of something in it, but for the bodies of the
// functions that it calls. Of NULL, none is.
typedef bool ExprTest(const void *context, const Expr *);
bool expr_any(const Expr *, ExprTest *, const void *context);
bool expr_has_clock_test(const Expr *); // or EXPR_DEADLOCK, which depends on clocks, too
bool expr_has_kind(const Expr *, ExprKind);
bool expr_has_effects(const Expr *); // an assignment, or a call
bool expr_is_storage(const Expr *);  // of any kind, indexed or not
// NULL if the expression can be a guard: a condition on integers and, where it holds, a
// conjunction of clock tests. Else the part that prevents it, for the message: x != c, or
// a clock test below a negation, an operator, exists, sum or a condition, or in both sides of
// a disjunction.
const Expr *expr_guard_flaw(const Expr *);
bool expr_fits(const Expr *,
               const Type *); // an array or a struct: whether its parts are in range
bool expr_is_const(const Expr *, int32_t *value);
bool expr_is_time(const Expr *, int64_t *value); // the same of what a clock is compared with

// Interval [low, high] that contains every value the expression can take when each
// variable is in its range (from its type); int64 so that it cannot overflow here.
typedef struct Range {
  int64_t low, high;
} Range;
Range expr_range(const Expr *);
Range expr_range_of(ExprKind, Range a, Range b); // of a binary operator, EXPR_ADD .. EXPR_SHR

// The variable that a storage is a part of.
const Expr *expr_root(const Expr *storage);
// Of a comparison `a op b`: the one with `b op a`, and the one that holds where this does not.
ExprKind expr_mirrored(ExprKind op);
ExprKind expr_opposite(ExprKind op);
// The slots of locals that an expression outside functions uses (NULL: none): those of
// quantifiers, and those that keep a value for a second use.
uint32_t expr_locals(const Expr *);
