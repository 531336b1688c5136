// Query handles: one struct takes a query from its text to its answer.
//
// A handle is read when it is first needed: then it has a tree and a goal, which its checks
// share. They belong to a network in the unit of time that suits the query (model/units.h), and
// are read again if the session has another model.
#pragma once

#include "plan/session.h"

struct TarnQuery {
  const char *text; // as it was asked, without blanks around it if it came with the model
  bool is_labels;
  bool is_own;             // it came with the model
  Source source;           // of a text that did not
  Place place;             // where the text begins
  const char *position;    // as verifyta shows it; NULL: not known
  const char *expectation; // what the model expects, such as `F`; NULL: nothing
  uint32_t net_number;     // the network for which it was read; 0: it was not
  size_t age;              // of the oldest block of what follows
  const Net *model;        // the session's, in the unit of the query
  Query query;
  Goal goal;
  const char *warnings;  // of reading it; each call that uses it repeats them
  Arena arena;           // of all that
  uint32_t wrong_number; // the network for which it could not be read; 0: none
  Text error;            // why; each call that uses it repeats it
};

// A handle for a text that stays the caller's. handle_clear ends it.
void handle_init(TarnQuery *, Tarn *, const char *text, bool is_labels);
void handle_clear(TarnQuery *);
// The same with a copy of the text, in the session's memory.
TarnQuery *handle_new(Tarn *, const char *text, bool is_labels);
// Adds a query that came with the model.
void handle_add(Tarn *, const Source *, uint32_t begin, uint32_t end, const char *expectation,
                const char *position);
// The query of the model whose text this is, by its address; NULL: it is another text.
TarnQuery *handle_own(const Tarn *, const char *text);

// Reads the tree only, into the arena. False with an error.
bool handle_parse(const Tarn *, const TarnQuery *, Query *, Arena *, Report *);
// Reads the query and makes its goal, if that was not done before. False with an error.
bool handle_read(Tarn *, TarnQuery *);

// Frees all memory younger than the mark. If the query (NULL: none) was read since, it is unread.
void handle_release_to(Tarn *, TarnQuery *, size_t mark);
