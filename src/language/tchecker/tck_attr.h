// Attributes of declarations in the TChecker language, `{key: value : key: value}`, and the
// state of the reader of declarations (language/tchecker/tck.h) that they add to.
//
// While declarations are read, values are kept as text. tck_attr_finish parses conditions and
// statements when all declarations are known.
#pragma once

#include "language/tchecker/tck_stmt.h"

typedef enum TckDeclaration {
  TCK_SYSTEM,
  TCK_PROCESS,
  TCK_EVENT,
  TCK_CLOCK,
  TCK_INT,
  TCK_LOCATION,
  TCK_EDGE,
  TCK_SYNC,
  TCK_DECLARATIONS
} TckDeclaration;

// key: value, as offsets into the source; the blanks around the value are cut off.
typedef struct TckPair {
  Token key;
  uint32_t begin, end;
} TckPair;

// A condition or statements to be parsed in the end.
typedef struct TckPending {
  TckPair pair;
  bool is_edge;
  uint32_t id; // of the edge or location
} TckPending;

enum { TCK_MAX_ERRORS = 1000 }; // then reading ends

typedef struct TckReader {
  Net *net;
  Report *report;
  Symbols symbols;
  TckParser parser;   // of declarations; in the end, of attributes
  VEC(TckPair) pairs; // of the current declaration
  VEC(TckPending) pending;
  Text errors;                     // of the declarations and attributes so far
  uint32_t error_count;            // of these
  bool is_lost[TCK_LOCATIONS + 1]; // by scope: a declaration has no name
  bool is_flawed;                  // the current declaration names what is not declared
  uint32_t elements;               // of integer variables
  TckDeclaration declaration;      // the current one
} TckReader;

// `clock` and `clock:size:name`, for messages too.
extern const char *const tck_keywords[TCK_DECLARATIONS];
extern const char *const tck_forms[TCK_DECLARATIONS];

// An error at a token; the first one stays.
void tck_reader_fail(TckReader *, Token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// [ "{" ... "}" ] and the end of the line: fills `pairs`.
void tck_attr_read(TckReader *);
// What the pairs mean for a location or an edge. Unknown keys are kept, with a warning.
void tck_attr_location(TckReader *, LocationId);
void tck_attr_edge(TckReader *, EdgeId);
// For the other declarations no key has a meaning.
void tck_attr_keep(TckReader *, TckDeclaration, Attributes *);

// Parses what was left for the end.
void tck_attr_finish(TckReader *);

// After an error in the part of the source from `begin` to `end`: the error is kept, and reading
// can go on as if there were none. Names in that part may not be declared for this reason: that
// they are not is no error of its own later. False if there are enough errors.
bool tck_recover(TckReader *, uint32_t begin, uint32_t end);
// The same without an error.
void tck_suspect(TckReader *, uint32_t begin, uint32_t end);
// At the end: how many errors there are beyond those that are shown.
void tck_count_errors(TckReader *);
