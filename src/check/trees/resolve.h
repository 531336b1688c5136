// Resolves the names in syntax trees: makes terms of them (check/trees/term.h), for the second
// evaluator. Types, constants and the storage of variables are also found here, from the
// declarations. The network is asked, by name, where a variable lies in a state; what it says of
// the variable is compared.
//
// A label with something unknown, such as real numbers, is unknown, with the reason: nothing is
// claimed of it. A difference to the network is kept (Resolver.difference).
#pragma once

#include "base/arena.h"
#include "base/text.h"
#include "check/trees/evaluator.h"
#include "model/net.h"

typedef struct Named Named;
typedef struct Space Space;

typedef enum NamedKind {
  NAMED_VALUE, // term: storage or a constant
  NAMED_TYPE,
  NAMED_FUNCTION,
  NAMED_MAKER,
  NAMED_PROCESSES,
  NAMED_LOCATION,
  NAMED_UNKNOWN,
} NamedKind;

// A template, or an instance of one with parameters of its own.
typedef struct MakerNode {
  const TemplateNode *template;
  const DeclNode *instance; // NULL: the template itself
  const struct MakerNode *of;
  const VarNode *params;
} MakerNode;

struct Named {
  NamedKind kind;
  const char *name;
  uint32_t order; // of declaration
  const Shape *shape;
  const Term *term;
  const char *unknown;
  const FunctionNode *function;
  Space *space;              // in which the function is declared
  Routine *routine, *copied; // once it was called; `copied`: by a query, which passes copies
  const char *routine_unknown, *copied_unknown;
  bool is_open;
  const MakerNode *maker;
  uint32_t first, count;      // processes; a location: its index
  const Shape *const *params; // of the processes, by which they differ
  uint32_t param_count;
  Named *next;
};

enum { SPACE_BUCKETS = 64 };
struct Space {
  Space *outer;
  uint32_t limit; // of a function: what is declared later in outer spaces is not seen. 0: none
  Named *buckets[SPACE_BUCKETS];
};

typedef struct ResolverFrame {
  uint32_t data, max_data, refs;
} ResolverFrame;

typedef struct ProcessSpaces {
  Space *own, *params;
} ProcessSpaces;

typedef struct Resolver {
  Mem *mem;
  Arena *arena;
  const Net *net;
  const Document *document;
  Evaluator evaluator; // for constants
  uint32_t order;
  ResolverFrame *frame;
  const char *unknown; // of the present label
  Place unknown_place;
  Text difference;  // what the network has otherwise; empty: nothing
  const char *lost; // why the model as a whole is not known, such as a variable; NULL: it is
  Place lost_place;
  bool is_query;
  uint32_t depth;
  const char *prefix;                // of the names of the present process
  uint32_t variable, clock, channel; // the next ones of the network, by which most are found
  const ProcessSpaces *processes;
} Resolver;

void resolver_init(Resolver *, Mem *, Arena *, const Net *, const Document *);
void resolver_gives_up(Resolver *, Place, const char *why);
void resolver_differs(Resolver *, const char *format, ...) __attribute__((format(printf, 2, 3)));

Space *space_new(Resolver *, Space *outer);
Named *space_find(const Space *, const char *name);
Named *space_find_here(const Space *, const char *name);
Named *space_add(Resolver *, Space *, const char *name, NamedKind);

// Declarations of the model, of its system section or of a template.
void resolve_declarations(Resolver *, Space *, const DeclNode *);
// Puts a number in the place of a name.
void resolve_number(Resolver *, Space *, const char *name, int32_t value);
// A parameter of a template: what the argument, of the space `outer`, is or stands for.
void resolve_argument(Resolver *, Space *, const VarNode *param, Space *outer, const Tree *arg);
// A value parameter that the network has as a variable becomes one.
void resolve_variable_param(Resolver *, Space *, const VarNode *param);
// The values of a type. False if they are not known.
bool resolve_range(Resolver *, Space *, const TypeNode *, int32_t *low, int32_t *high);

Label resolve_condition(Resolver *, Space *, const Tree *);
Label resolve_channel(Resolver *, Space *, const Tree *);
// One or an array of them, with their number.
Label resolve_channels(Resolver *, Space *, const Tree *, uint32_t *count);
Label resolve_updates(Resolver *, Space *, const Tree *first, Space *second_space,
                      const Tree *second); // linked
Label resolve_block(Resolver *, Space *, const StmtNode *);
// Whether a condition is false whatever the state is.
bool resolve_is_never(Resolver *, const Label *);
// The channel if no state can change it.
bool resolve_fixed_channel(Resolver *, const Label *, uint32_t *channel);
