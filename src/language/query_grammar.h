// The grammar of queries, the same for all languages:
//
//   query = ("E<>" | "A[]" | "E[]" | "A<>") formula | formula "-->" formula
//         | ("sup" | "inf" | "bounds") [ "{" formula "}" ] ":" value { "," value }
//         | "buchi" ":" value { "," value }
//
// A query is first cut into parts. Each part is the text of a formula or of a value, which the
// language parses. If no part has a mistake, the language turns all of them into expressions.
#pragma once

#include "model/query.h"

typedef enum QueryRole { QUERY_FORMULA, QUERY_CONCLUSION, QUERY_VALUE } QueryRole;

typedef struct QueryPart {
  QueryKind kind; // of the query
  QueryRole role;
  uint32_t begin, end; // in the source
  const char *until;   // the sign that comes behind it, or should; NULL: nothing does
} QueryPart;

// `reader` is the language's own.
typedef struct QueryLanguage {
  // Parses a part. After a mistake the result does not matter.
  const void *(*parse)(void *reader, const QueryPart *);
  // What was parsed, as an expression; NULL: it is one.
  const Expr *(*make)(void *reader, const QueryPart *, const void *parsed);
  // No query begins as this text does: reports that. False: but a formula before `-->` may.
  bool (*refuse)(void *reader, bool has_arrow);
  bool has_trees; // what is parsed is a syntax tree (model/syntax.h), which the query keeps
} QueryLanguage;

// Sets the text and the place of a query, without blanks around it. Returns where it ends.
uint32_t query_grammar_begin(Query *, Arena *, Place, uint32_t end);

// Reads the query between two places of a source; its trees go to the arena. False with errors
// in the report.
bool query_grammar_read(Query *, Arena *, Place, uint32_t end, const QueryLanguage *,
                        void *reader, Report *);
