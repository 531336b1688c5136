// What the model families share: their parameters, and how they write lines. Only gen*.c
// includes this. A family is a function that reads its parameters from a Gen and adds lines;
// the table of families is in gen.c.
#pragma once

#include "language/gen/gen.h"

enum { GEN_PARAMS = 32 }; // most parameters of one family

// One parameter. A number has a range; a word is one of `words` ("one|two|three"), counted
// from 0; a text may be anything, and is NULL unless given.
typedef enum GenKind { GEN_NUMBER, GEN_WORD, GEN_TEXT } GenKind;

typedef struct GenParam {
  const char *name;
  GenKind kind;
  int fallback, low, high;
  const char *words;
  const char *help;
} GenParam;

typedef struct Gen Gen;

typedef struct GenFamily {
  const char *name, *help;
  void (*write)(Gen *);
  const GenParam *params; // ends with a NULL name
} GenFamily;

struct Gen {
  Text *out;
  Report *report;
  const GenFamily *family;
  int numbers[GEN_PARAMS]; // in the order of family->params; of a word, its number
  const char *texts[GEN_PARAMS];
  bool given[GEN_PARAMS];
};

// The value of a parameter, which the family must have.
int gen_number(const Gen *, const char *name);
const char *gen_text(const Gen *, const char *name);

// Adds lines in which `$c` stands for a number: `letters` lists the c's, the ints that follow
// are their values. gen_add(gen, "clock:1:x$i\n", "i", 3) adds `clock:1:x3`.
void gen_add(Gen *, const char *lines, const char *letters, ...);

// gen_orders.c
void gen_fischer(Gen *);
void gen_lynch(Gen *);
void gen_csma(Gen *);
void gen_fddi(Gen *);
void gen_critical_region(Gen *);
void gen_blowup(Gen *);
// gen_nonconvex.c
void gen_a1(Gen *);
void gen_a2(Gen *);
void gen_a3(Gen *);
void gen_fig1(Gen *);
// gen_local.c
void gen_corsso(Gen *);
void gen_philosophers(Gen *);
void gen_parallel(Gen *);
void gen_poll(Gen *);
// gen_darts.c
void gen_lcm(Gen *);
void gen_darts_example(Gen *);
void gen_vikings(Gen *);
void gen_tasks(Gen *);
void gen_train_crossing(Gen *);
void gen_darts_fischer(Gen *);
// gen_extra.c
void gen_flexray(Gen *);
void gen_train_gate(Gen *);
// gen_random.c
void gen_random(Gen *);
