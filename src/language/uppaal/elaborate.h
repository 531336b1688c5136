// Elaboration: from syntax trees to a network. Names are resolved, types checked, constants
// computed, and each process gets its own copy of its template with the parameters put in.
//
// A function becomes one model function for each list of things that its reference parameters
// stand for; a reference to a local variable of the caller is passed as its place on the stack.
// Functions are elaborated when they are first called, so functions that are never used never
// matter.
#pragma once

#include "model/net.h"
#include "model/syntax.h"

enum {
  ELABORATE_MAX_EDGES = 1 << 20,    // after select and channel arrays are expanded
  ELABORATE_MAX_INSTANCES = 100000, // of the body of a quantifier
  ELABORATE_MAX_PROCESSES = 1 << 16,
  ELABORATE_MAX_LOCALS = 1 << 22, // slots of the frame of a function
};

typedef struct Scope Scope;
typedef struct Symbol Symbol;

// A type as declared: what model types do not say is beside it.
typedef struct TypeInfo {
  const Type *type; // NULL: a type that the model cannot have, named by `refused`
  const char *refused;
  bool is_const, is_meta, is_urgent, is_broadcast;
  bool is_plain_int; // `int` without a range
  bool is_empty;     // a range without values, from type->min on
  bool is_hybrid;    // a clock that symbolic queries ignore
  bool has_real;     // refused for symbolic queries only
  bool is_bad; // there was a mistake in it: what it is for has no value, and no more is said
} TypeInfo;

typedef enum SymbolKind {
  SYMBOL_TYPE,
  SYMBOL_CONSTANT, // expr: an EXPR_CONST or EXPR_TABLE
  SYMBOL_STORAGE,  // expr: a variable, a clock, a local, or what a reference stands for
  SYMBOL_CHANNEL,  // info.type, first element `base`
  SYMBOL_FUNCTION, // function, defined in `scope`
  SYMBOL_MAKER,    // a template or a partial instance
  SYMBOL_PROCESSES,
  SYMBOL_LOCATION, // base: local index
  SYMBOL_REFUSED,  // of a type that is refused when it is used
} SymbolKind;

// Why symbolic queries cannot have something: see language/uppaal/elab_real.h.
typedef struct Obstacle {
  Place place;
  const char *what; // NULL: there is none
} Obstacle;

typedef struct FunctionInstance {
  const char *key; // what the reference parameters stand for
  const Function *function;
  bool has_effects; // on variables or clocks
  Obstacle obstacle;
  const bool *writes; // by slot of the parameters: to it, or to what it is the address of
  struct FunctionInstance *next;
} FunctionInstance;

// A template, or an instance of one with parameters of its own.
typedef struct Maker {
  const TemplateNode *template;
  const DeclNode *instance; // NULL: the template itself
  const struct Maker *of;   // what it is an instance of
  const VarNode *params;
} Maker;

typedef struct ProcessEntry {
  ProcessId id;
  Scope *scope; // of its declarations; the parameters are in the one around it
} ProcessEntry;

// A name in the system line: one process, or one for each choice of its free parameters.
typedef struct ProcessSet {
  uint32_t param_count;
  const Type *const *params; // their types, integers
  const ProcessEntry *entries;
  uint32_t count;
} ProcessSet;

struct Symbol {
  SymbolKind kind;
  const char *name;
  Place place;
  TypeInfo info;
  const Expr *expr;
  const Expr *clocks; // of storage with clocks in structs: that part, `expr` is the rest or NULL
  uint32_t base;
  const FunctionNode *function;
  FunctionInstance *instances;
  bool is_open; // a function that is being elaborated
  Scope *scope;
  const Maker *maker;
  const ProcessSet *processes;
  uint32_t order; // of declaration
  Symbol *next;   // in its bucket
};

struct Scope {
  Scope *parent;
  Symbol **buckets;
  uint32_t mask, count; // symbols
  // Of a function: what is declared later than it in the scopes around is not seen. 0: no limit.
  uint32_t limit;
};

// The code that is being made: its frame.
typedef struct Frame {
  uint32_t next, max;       // locals in use, and most of them at once
  const Function *function; // NULL: a label
  const Type *result;
  bool has_effects;
  Obstacle obstacle; // of the function
  bool *writes;      // of the function's parameters, see FunctionInstance
  uint32_t param_slots;
} Frame;

typedef VEC(ClockRate) ClockRates;

typedef struct Elaborator {
  const Net *net;
  Net *making; // the same while the model is read; NULL: a query is
  Mem *mem;
  Arena *arena; // of the net, or of a query
  Report *report;
  const Document *document;
  const Tree *undeclared; // the name that was told last; NULL: none
  Scope *globals;         // visible to templates
  Scope *system;          // declarations of the system section, templates and instances
  Scope *processes;       // of the system line; queries see these first
  Frame *frame;
  VEC(Place) reported, warned;
  VEC(const Code *) codes; // of functions, for constants
  uint32_t failures;
  uint32_t scalar_sets; // so far
  int64_t instances;    // of quantifiers that were expanded
  uint32_t expanding;   // depth of quantifiers whose variables are constants just now
  uint32_t call_depth;
  uint32_t order; // of the last symbol
  bool is_query;
  Place priority, before, after; // of `chan priority` and the hooks, where they are declared
  bool needs_constants;          // a quantifier's variable is used where only a constant will do
  const Function *power;         // a ** b, once it was used
  bool *is_defined;              // by line of NetOrigin.define: it was used
  const char *prefix;            // of names of the process being made: "P."
  ProcessId process;
  bool is_constraint;          // a guard, an invariant or a query: clocks are tested
  bool is_full;                // for statistical queries: nothing is ignored
  uint32_t ignoring;           // depth of what is elaborated only to find mistakes
  uint32_t ignored_count;      // variables and clocks that are ignored
  ClockRates *rates;           // of the invariant that is being made; NULL: of none
  VEC(double) starts;          // is_full: values that clocks start with
  uint32_t stems;              // is_full: edges to branch points so far
  uint32_t obstacles;          // those among the failures
  bool has_reals, has_hybrids; // of variables that are ignored
  bool has_ignored_rates;      // of clocks, other than 0 and 1
  bool has_unread_rates;       // see Location
  bool *is_rated;              // by clock: whether rates of it were ignored
} Elaborator;

typedef enum ValueKind {
  VALUE_BAD,     // an error was reported
  VALUE_DATA,    // expr: integers, arrays and structs of them; conditions with clock tests
  VALUE_CLOCKS,  // plus - minus + expr; each may be NULL
  VALUE_RECORD,  // plus: the clocks of structs with clocks, expr: their data, perhaps NULL
  VALUE_CHANNEL, // expr: EXPR_VAR over the numbers of channels, perhaps indexed
  VALUE_PROCESS,
  VALUE_PROCESSES,
} ValueKind;

typedef struct Value {
  ValueKind kind;
  const Expr *expr, *plus, *minus;
  const Symbol *symbol;
  const ProcessEntry *process;
} Value;

// Errors (elaborate.c). One for each place. They return false and VALUE_BAD, for functions that
// do after an error.
bool elab_fail(Elaborator *, Place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
Value elab_bad(Elaborator *, Place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void elab_refuse(Elaborator *, Place, const char *construct);
void elab_warn(Elaborator *, Place, const char *text); // once for each place
// That something is there already; the format begins the sentence.
void elab_fail_twice(Elaborator *, Place, Place first, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// "; did you mean ...?" with what is called nearly so in a scope or, up to `last`, around it,
// among what could stand there.
typedef enum HintKind {
  HINT_VALUES,
  HINT_TYPES,
  HINT_FUNCTIONS,
  HINT_TEMPLATES,
  HINT_ITEMS
} HintKind;
const char *elab_hint(Elaborator *, const Scope *, const Scope *last, const char *name, HintKind);
bool elab_finds_template(const Elaborator *,
                         const char *name); // in the document, also where not in scope
bool elab_finds_instance(const Elaborator *, const char *name);

const char *elab_nearest_location(Elaborator *, const TemplateNode *, const char *name);

Scope *scope_new(Arena *, Scope *parent, uint32_t buckets);
Symbol *scope_find(const Scope *, const char *name);      // here or in those around
Symbol *scope_find_here(const Scope *, const char *name); // NULL if there is none
Symbol *scope_add(Elaborator *, Scope *, const char *name, Place, SymbolKind);

// Types and constants (elab_type.c).
TypeInfo elab_type(Elaborator *, Scope *, const TypeNode *, const DimNode *);
// Also takes ranges without values, such as int[1,0]: one may name them, count over them and make
// a process for each of their values. elab_type reports an error.
TypeInfo elab_type_or_empty(Elaborator *, Scope *, const TypeNode *, const DimNode *);
// The range of a type that a quantifier, `select` or a free parameter goes over.
bool elab_range(Elaborator *, Scope *, const TypeNode *, int32_t *low, int32_t *high);
bool elab_constant(Elaborator *, const Expr *, int32_t *values);
bool elab_constant_int(Elaborator *, Scope *, const Tree *, int32_t *value);
// Values of an initialiser, constant; NULL after an error.
const int32_t *elab_initial(Elaborator *, Scope *, const Type *, const Tree *);
// Whether an item of an initialiser is for a field that one before it is for: an error.
bool elab_field_again(Elaborator *, const Type *, const Tree *list, const Tree *item,
                      const Field *);
void elab_need_value(Elaborator *, const TypeInfo *,
                     const VarNode *);            // a constant without one fails
void elab_default(const Type *, int32_t *values); // 0, or the least value of the range
const Expr *elab_table(Elaborator *, Place, const char *name, const Type *, const int32_t *);

// Structs with clocks (elab_record.c). A struct with clock fields, or an array of such structs,
// is stored in two parts: one type has the clock fields, the other has the rest.
bool elab_is_record(const Type *);
const Type *elab_part(Elaborator *, const Type *, bool clocks); // NULL: nothing is left
void elab_part_values(const Type *, const int32_t *values, int32_t *data, int32_t *clocks);
// Whether storage is what a reference parameter of this type asks for; `data` may be NULL.
bool elab_fits_record(Elaborator *, const Type *, const Expr *data, const Expr *clocks);

// Functions that the language does not name (elab_helper.c).
const Expr *elab_power(Elaborator *, Place, const Expr *base, const Expr *exponent);
const Expr *elab_element(Elaborator *, Place, const Expr *array, const Expr *index);

// Expressions (elab_expr.c). NULL after an error.
Value elab_value(Elaborator *, Scope *, const Tree *);
const Expr *elab_data(Elaborator *, Scope *, const Tree *);   // no clocks
const Expr *elab_int(Elaborator *, Scope *, const Tree *);    // one integer
const Expr *elab_number(Elaborator *, Scope *, const Tree *); // an integer or a real
// What a variable of the type is given, converted where that can be done.
const Expr *elab_typed(Elaborator *, Scope *, const Tree *, const Type *);
const Expr *elab_condition(Elaborator *, Scope *, const Tree *); // clock tests allowed
const Expr *elab_call(Elaborator *, Scope *, const Tree *);      // elab_function.c
// Makes the function for queries, which come when the net is finished. Reference parameters
// become values there, since queries change nothing: a function that writes one has effects.
void elab_prepare(Elaborator *, Symbol *);
void elab_note_write(Elaborator *, const Expr *target);        // to data, for Frame
const Expr *elab_stepped(Elaborator *, Scope *, const Tree *); // of `++` and `--`
const Expr *elab_target(Elaborator *, Scope *, const Tree *);  // of an assignment, no clock
const Expr *elab_stable(Elaborator *, const Expr *target, const Expr **again);
bool elab_is_assignable(const Expr *);
bool elab_same_type(const Type *, const Type *); // of arrays and structs: the same shape
Symbol *elab_predeclared(Elaborator *, const char *name, Place);

// The number of a channel, or of the first of an array of them; false if an index is not
// constant.
bool elab_channel_offset(const Expr *, uint32_t *offset);

// Declarations and statements (elab_decl.c, elab_stmt.c).
void elab_declarations(Elaborator *, Scope *, const DeclNode *);
typedef struct StmtList {
  Stmt *first, *last;
} StmtList;
void elab_effects(Elaborator *, Scope *, const Tree *list, StmtList *); // of an update
void elab_statement(Elaborator *, Scope *, const StmtNode *, StmtList *);
void elab_append(StmtList *, Stmt *);
Stmt *elab_new_stmt(Elaborator *, Place, StmtKind);
// A new statement at the end of the list.
Stmt *elab_add(Elaborator *, StmtList *, Place, StmtKind, const Expr *target, const Expr *value);
void elab_local(Elaborator *, Scope *, const VarNode *, StmtList *);
uint32_t elab_frame(Elaborator *, Place, uint32_t slots); // room in the frame

// Constants of the command line (elab_define.c). NULL: the one in the file holds.
const int32_t *elab_defined(Elaborator *, const Scope *, const Type *, const VarNode *);
void elab_begin_defining(Elaborator *);
void elab_end_defining(Elaborator *); // those that were not used are errors

// Processes (elab_process.c).
// An invariant or a guard. It may have a flaw (expr_guard_flaw), unless is_full.
const Expr *elab_constraint(Elaborator *, Scope *, const Tree *);
void elab_edges(Elaborator *, Scope *, const TemplateNode *, const LocationId *locations);
void elab_system(Elaborator *);
