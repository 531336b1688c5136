// Diagnoses the queries of a document that is being read: those of the model, or of a file of
// queries. If the model has mistakes, it has no network; then queries are parsed, and their names
// are looked up among those that the text declares.
#pragma once

#include "model/syntax.h"
#include "plan/service/service_names.h"

typedef struct ServiceQueries {
  const QueryNode *first;
  const Net *net;
  bool has_model;            // the net was read without errors
  const ServiceNames *names; // of the model
  Mem *mem;                  // of the messages
  Arena *arena;              // of the trees
} ServiceQueries;

void service_queries_read(const ServiceQueries *, MessageList *);
