// Syntax trees of UPPAAL's language, as parsed: names are text, nothing is checked but the
// grammar. The readers of .xml and .xta make the same tree. Trees live in one arena; lists are
// linked by `next`, in the order of the text. Equal names are one pointer
// (language/uppaal/names.h). They are data only: language/uppaal turns them into a network, and
// check/trees evaluates them without it.
#pragma once

#include "base/arena.h"
#include "base/report.h"
#include "model/expr/expr.h"

typedef struct Tree Tree;
typedef struct TypeNode TypeNode;
typedef struct VarNode VarNode;
typedef struct StmtNode StmtNode;
typedef struct DeclNode DeclNode;

typedef enum NodeKind {
  NODE_NUMBER,   // value; is_bool: `true` and `false`
  NODE_DOUBLE,   // real: a number with a fraction or an exponent
  NODE_STRING,   // "..."
  NODE_NAME,     // name
  NODE_INDEX,    // a[b]
  NODE_DOT,      // a.name; in a NODE_LIST with the value 1 it is `name: a`
  NODE_CALL,     // a(b ...); arguments are linked
  NODE_RATE,     // a'
  NODE_UNARY,    // op a; EXPR_NEG or EXPR_NOT
  NODE_BINARY,   // a op b, with an operator of model/expr/expr.h
  NODE_IMPLY,    // a imply b
  NODE_XOR,      // a xor b
  NODE_POWER,    // a ** b
  NODE_COND,     // a ? b : c
  NODE_ASSIGN,   // a = b, or a op= b unless op is EXPR_CONST
  NODE_STEP,     // ++a, a--; op is EXPR_ADD or EXPR_SUB; value: 1 if postfix
  NODE_QUANTIFY, // op is EXPR_FORALL, EXPR_EXISTS or EXPR_SUM; var; body a
  NODE_LIST,     // {b, ...} of an initialiser; elements are linked
  NODE_DEADLOCK,
  NODE_TEXT,   // a formula or a value of a query of TChecker's: `value` bytes from `place` on
  NODE_LABELS, // the same of a list of labels
} NodeKind;

struct Tree {
  NodeKind kind;
  ExprKind op;
  Place place;
  const char *name;
  int32_t value;
  double real;
  bool is_bool;
  uint16_t depth; // of the tree, for the limit
  const Tree *a, *b, *c;
  const VarNode *var;
  Tree *next;
};

typedef enum TypeNodeKind {
  TYPENODE_INT, // a, b: the range, NULL: as the prefix says
  TYPENODE_BOOL,
  TYPENODE_CLOCK,
  TYPENODE_CHAN,
  TYPENODE_SCALAR, // a: size
  TYPENODE_STRUCT, // fields
  TYPENODE_NAME,
  TYPENODE_VOID,
  TYPENODE_DOUBLE,
  TYPENODE_STRING,
} TypeNodeKind;

struct TypeNode {
  TypeNodeKind kind;
  bool is_const, is_meta, is_urgent, is_broadcast, is_hybrid;
  Place place;
  const char *name;
  const Tree *a, *b;
  const VarNode *fields;
};

// A dimension of an array: a number, or a type whose values are the indices. A name may be
// either: it is in `size` then.
typedef struct DimNode {
  const Tree *size;
  const TypeNode *type;
  struct DimNode *next;
} DimNode;

// A variable, a field, a parameter, or what a quantifier, a loop or `select` binds.
struct VarNode {
  const char *name;
  Place place;
  const TypeNode *type;
  const DimNode *dims;
  const Tree *init;
  bool is_reference;
  VarNode *next;
};

typedef enum StmtNodeKind {
  STMTNODE_EMPTY,
  STMTNODE_EXPR,    // a, and those linked to it
  STMTNODE_BLOCK,   // decls, body
  STMTNODE_IF,      // if (a) body else other
  STMTNODE_WHILE,   // while (a) body
  STMTNODE_DO,      // do body while (a)
  STMTNODE_FOR,     // for (a; b; c) body; a and c may be linked lists
  STMTNODE_ITERATE, // for (var) body
  STMTNODE_RETURN,  // a may be NULL
  STMTNODE_ASSERT,  // a
} StmtNodeKind;

struct StmtNode {
  StmtNodeKind kind;
  Place place;
  const Tree *a, *b, *c;
  const Tree *before; // of `(before, condition)`: evaluated for what they do, each time; or NULL
  const VarNode *var;
  const DeclNode *decls;
  const StmtNode *body, *other;
  StmtNode *next;
};

typedef struct FunctionNode {
  const char *name;
  Place place;
  const TypeNode *result;
  const VarNode *params;
  const StmtNode *body; // a block
  bool is_broken;       // a statement could not be read
} FunctionNode;

typedef enum DeclNodeKind {
  DECL_VARIABLE,
  DECL_TYPEDEF,
  DECL_FUNCTION,
  DECL_PRIORITY, // chan priority; levels
  DECL_BEFORE,   // before_update: expressions in `list`, or a block in `body`
  DECL_AFTER,
  DECL_INSTANCE, // name(params) = template(args)
  DECL_REFUSED,  // a construct that is refused; `name` says which
  DECL_IMPORTED, // an external function `name`, which is refused where it is called
} DeclNodeKind;

// An item of `chan priority` or of the system line, with its level: later is higher.
typedef struct LevelNode {
  const Tree *expr; // NULL: default
  uint32_t level;
  struct LevelNode *next;
} LevelNode;

struct DeclNode {
  DeclNodeKind kind;
  bool is_broken; // it could not be read to its end
  Place place;
  const VarNode *var; // also typedef
  const FunctionNode *function;
  LevelNode *levels;
  const Tree *list;
  const StmtNode *body;
  const char *name;
  const VarNode *params;
  const char *template_name;
  DeclNode *next;
};

// How the file shows a part of a template, for pages (output/drawing.h): its text as it is
// written, and where UPPAAL's editor has it.
typedef struct PointNode {
  int32_t x, y;
  bool is_given;
} PointNode;

typedef struct LabelNode {
  const char *text;
  uint32_t size; // 0: there is none
  PointNode at;
} LabelNode;

// A label that queries do not depend on: a comment, a rate, a weight, a test. `kind` is what XML
// calls it. For converters.
typedef struct RemarkNode {
  const char *kind;
  LabelNode label;
  struct RemarkNode *next;
} RemarkNode;

typedef struct NailNode { // a bend of an edge
  PointNode at;
  struct NailNode *next;
} NailNode;

typedef struct LocationNode {
  const char *name; // as queries call it
  const char *id;   // in the XML file; else the name
  Place place;
  const Tree *invariant;
  const Tree *rate, *divisor; // of an exponential delay, rate : divisor; NULL: none
  bool is_urgent, is_committed, is_branch;
  PointNode at;
  LabelNode name_label, invariant_label;
  const char *colour;  // NULL: none
  const char *file_id; // of .xta: the id in the XML file that it comes from; NULL: not known
  RemarkNode *remarks;
  struct LocationNode *next;
} LocationNode;

typedef enum Direction { SYNC_NONE, SYNC_SEND, SYNC_RECEIVE, SYNC_PLAIN } Direction;

typedef enum EdgePart {
  EDGE_SELECT,
  EDGE_GUARD,
  EDGE_SYNC,
  EDGE_UPDATE,
  EDGE_WEIGHT,
  EDGE_PARTS
} EdgePart;

typedef struct EdgeNode {
  Place place;                 // each has its own
  const char *source, *target; // ids of locations
  Place source_place, target_place;
  const VarNode *select;
  const Tree *guard;
  const Tree *channel;
  Direction direction;
  const Tree *update; // linked
  const Tree *weight; // of a branch; NULL: none is given
  bool is_uncontrollable;
  LabelNode labels[EDGE_WEIGHT];
  NailNode *nails;
  const char *colour; // NULL: none
  bool is_laid_out;   // a layout block has it
  bool is_broken;     // what restricts its choices could not be read
  RemarkNode *remarks;
  struct EdgeNode *next;
} EdgeNode;

typedef struct TemplateNode {
  const char *name;
  Place place;
  const VarNode *params;
  const DeclNode *decls;
  LocationNode *locations;
  EdgeNode *edges;
  const char *init; // id; NULL: none was given
  PointNode name_at;
  LabelNode params_label, decls_label; // as they are written, for converters
  bool is_broken;                      // a part could not be read
  struct TemplateNode *next;
} TemplateNode;

// A query as found: text, and what is expected of it.
typedef struct QueryNode {
  const Source *source; // of the text
  uint32_t begin, end;  // in the source
  const char *expect;   // NULL, or what EXPECT or <expect> says, e.g. "T"
  const char *position; // of the formula, as verifyta shows it
  const char *comment;  // what <comment> says; NULL: nothing
  struct QueryNode *next;
} QueryNode;

// What mistakes of syntax leave unread, see language/uppaal/damage.h.
typedef struct DamageName DamageName;
typedef struct Damage {
  bool is_any;
  uint32_t count;
  DamageName *names; // which what is unread may declare
} Damage;

typedef struct Document {
  const char *name;
  DeclNode *decls;
  TemplateNode *templates;
  DeclNode *system_decls; // instances and declarations before the system line
  LevelNode *system;
  Place system_place;
  QueryNode *queries;
  LabelNode decls_label, system_label; // as they are written, for converters
  bool is_xml;                         // it was read from XML: locations have the ids of the file
  bool has_rates, has_weights;
  Damage damage; // by mistakes of syntax
} Document;
