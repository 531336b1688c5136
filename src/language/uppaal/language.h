// The part of an UPPAAL model that its net keeps: the names, for queries.
#pragma once

#include "language/uppaal/elaborate.h"
#include "language/uppaal/parser.h"

typedef struct Uppaal {
  const Net *net;
  Names names;
  Document document;
  Scope *globals, *system, *processes;
  bool *is_rated; // by clock: whether rates of it were ignored
} Uppaal;
