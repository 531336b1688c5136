// Types of the modelling languages. Every value is laid out in int32 slots: a scalar takes
// one, a real number two (its 64 bits), an array its elements one after the other, a struct its
// fields. Types live in the arena of their net and are never changed once made.
#pragma once

#include "base/arena.h"

typedef enum TypeKind {
  TYPE_VOID,    // functions without a result
  TYPE_INT,     // min .. max; a bool is 0 .. 1
  TYPE_CLOCK,   // a clock
  TYPE_CHANNEL, // a channel; only front ends have these
  TYPE_ARRAY,   // `count` elements, indices first .. first + count - 1
  TYPE_STRUCT,  // `count` fields
  TYPE_REAL,    // a `double`; nets of symbolic queries have constants of it at most
} TypeKind;

typedef struct Type Type;

typedef struct Field {
  const char *name;
  const Type *type;
  uint32_t offset; // in slots from the start of the struct
} Field;

struct Type {
  TypeKind kind;
  bool is_bool;        // TYPE_INT: written as true/false
  int32_t min, max;    // TYPE_INT
  const Type *element; // TYPE_ARRAY
  int32_t first;       // TYPE_ARRAY
  uint32_t scalar_set; // of these the values, or the indices of an array, are elements; 0: none
  uint32_t count;
  const Field *fields; // TYPE_STRUCT
  uint32_t slots;      // size of a value, clocks count one slot each; UINT32_MAX: too large
};

const Type *type_int(Arena *, int32_t min, int32_t max);
const Type *type_bool(Arena *);
const Type *type_clock(Arena *);
const Type *type_void(Arena *);
const Type *type_real(Arena *);
const Type *type_channel(Arena *);
const Type *type_array(Arena *, const Type *element, int32_t first, uint32_t count);
const Type *type_of_set(Arena *, const Type *, uint32_t scalar_set); // the type, with the set
// Computes the offsets of the fields (their `offset` is overwritten); the array is copied.
const Type *type_struct(Arena *, const Field *fields, uint32_t count);
bool type_fits(const Type *value, const Type *target);   // whether every value can be stored
const Field *type_field(const Type *, const char *name); // NULL if there is none
