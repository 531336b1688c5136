// The names of a document: where each is defined and used.
//
// Definitions come from the trees that the readers make, uses from the tokens: a name stands for
// the definition of that name in the smallest scope around it that was declared before. So names
// are found in texts with mistakes, too. Offsets are those of the file; in XML, the texts of
// elements are looked at.
#pragma once

#include "base/arena.h"
#include "base/report.h"
#include "base/vec.h"
#include "model/net.h"

typedef enum DefinitionKind {
  DEFINE_VARIABLE,
  DEFINE_CONSTANT,
  DEFINE_CLOCK,
  DEFINE_CHANNEL, // or an event of TChecker's
  DEFINE_TYPE,
  DEFINE_FIELD,
  DEFINE_FUNCTION,
  DEFINE_PARAMETER,
  DEFINE_TEMPLATE,
  DEFINE_PROCESS,
  DEFINE_LOCATION,
  DEFINE_KINDS
} DefinitionKind;

typedef struct Definition {
  const char *name;
  DefinitionKind kind;
  uint32_t offset, length;
  uint32_t begin, end;   // of the construct: of a template and a function the whole of it
  uint32_t from, until;  // where the name means this
  const char *detail;    // as it is declared
  const char *container; // template, process or function; NULL: none
  const char
      *made_from; // of a process: its template; of a variable: its type, if that has a name
  uint32_t next;  // of the same name; UINT32_MAX: the last
} Definition;

typedef enum NameTokenKind {
  NAME_WORD,
  NAME_NAME,
  NAME_NUMBER,
  NAME_STRING,
  NAME_SIGN
} NameTokenKind;

typedef struct NameToken {
  uint32_t offset, length;
  NameTokenKind kind;
  char sign;           // of one character, else 0
  uint32_t definition; // of a name; UINT32_MAX: none is known
  uint32_t text;       // the number of the text that it stands in: labels of XML are texts
} NameToken;

typedef struct ServiceNames {
  Arena arena;
  VEC(Definition) definitions;
  VEC(NameToken) tokens; // in the order of the file
  VEC(uint32_t) parts;   // offsets where texts of XML begin; their maps are beside
  VEC(const uint32_t *) maps;
  VEC(uint32_t) buckets; // by name: the first definition
} ServiceNames;

// The names of a model that was read, perhaps with errors.
void service_names_find(ServiceNames *, Mem *, const Source *, const Net *, bool is_uppaal);
// Tokens of a file of queries, whose names are looked up in a model.
void service_names_queries(ServiceNames *, Mem *, const Source *, const ServiceNames *model);

// The file's offset of a place; UINT32_MAX if it is not known.
uint32_t service_names_offset(const ServiceNames *, Place);
// The token at an offset, or that ends there; UINT32_MAX: none.
uint32_t service_names_at(const ServiceNames *, uint32_t offset);
// What a name means at an offset, or to queries of another file (UINT32_MAX); `container` asks
// for a member of that template or process.
uint32_t service_names_resolve(const ServiceNames *, const char *name, size_t length,
                               uint32_t offset, const char *container);
// The same in TChecker's format, of what is declared like `kind`; locations are those of a
// process.
uint32_t service_names_sort(const ServiceNames *, const char *name, size_t length,
                            DefinitionKind kind, const char *container);
// The name before the dot in front of token `k`, as a container; NULL if there is none.
const char *service_names_container(const ServiceNames *, uint32_t k);
