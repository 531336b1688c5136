// Mutants of a model: texts that differ from its source in one place, as a mistake would.
//
// They are made from the text, so that a mutant is a model of the user's, with the names,
// comments and drawing of the original. Guards, invariants, updates and edges are found by a
// scanner for each format (.xta, XML, .tck). It knows less than the readers do, so some mutants
// cannot be read.
#pragma once

#include "base/report.h"
#include "base/text.h"
#include "base/vec.h"

typedef enum MutantKind {
  MUTANT_CONSTANT,   // a constant of a guard or invariant by one
  MUTANT_STRICT,     // < for <=, and so on
  MUTANT_TURN,       // > for <, != for ==
  MUTANT_DROP_RESET, // an assignment of an edge
  MUTANT_ADD_RESET,  // of a clock
  MUTANT_EDGE,       // removed
  MUTANT_TARGET,     // the next location of the process instead
  MUTANT_SYNC,       // dropped
  MUTANT_URGENT,     // dropped, of a location or a channel
  MUTANT_COMMITTED,  // dropped
  MUTANT_KINDS
} MutantKind;

// The text from `begin` to `end` is replaced by `by`.
typedef struct Mutant {
  MutantKind kind;
  size_t begin, end;
  const char *by;
} Mutant;

typedef struct Mutants {
  Mem *mem;
  const char *text; // the caller's
  size_t size;
  uint32_t kinds; // a bit for each that is wanted
  VEC(Mutant) list;
} Mutants;

const char *mutants_kind(MutantKind); // its name, such as "drop-reset"
// The bits of a list such as "edge,target"; NULL are all. False with an error.
bool mutants_choose(uint32_t *kinds, const char *list, Report *);

// Finds all, in the order of the text. `mem`, `text`, `size` and `kinds` are set.
void mutants_find(Mutants *, bool is_uppaal);
void mutants_release(Mutants *);
// Where it differs, from 1 on.
void mutants_place(const Mutants *, const Mutant *, uint32_t *line, uint32_t *column);
// The whole text of one.
void mutants_write(const Mutants *, const Mutant *, Text *);
