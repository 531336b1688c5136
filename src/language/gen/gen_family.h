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

// The value of a parameter, or the number of a word of one; the family must have it.
int gen_value(const Gen *, const char *name, size_t length);
int gen_number(const Gen *, const char *name); // a terminated one
const char *gen_text(const Gen *, const char *name);

// gen_template.c: the model of FAMILY.template.
void gen_template(Gen *);
// gen_tasks.c
void gen_tasks(Gen *);
// gen_random.c
void gen_random(Gen *);
