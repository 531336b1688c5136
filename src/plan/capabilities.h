// Capabilities: which combinations of model, query and options exist, and why the others are
// refused, as one table of sentences.
//
// What an engine needs of a model to be sound is not in the table: strict constraints in whole
// units of time, differences of clocks under an abstraction, independent processes in local time.
// The engine itself checks that when it is made, for it is also made where there is no plan: for
// certificates, shortest runs and extreme values, and by the random testers.
#pragma once

#include "model/query.h"
#include "search/options.h"

typedef struct Request {
  const Net *net;
  const Query *query; // NULL: everything is explored
  const Goal *goal;   // of the query; NULL: it has none
  const Options *options;
  bool has_symmetry; // that searches may use
  bool has_dead;     // a certificate is asked for, and can leave out dead variables
  bool has_slice;    // likewise, and processes
} Request;

// The sentence that refuses the query; NULL if it can be answered.
const char *capabilities_refusal(const Request *);
// The sentence that rules out a search with these options, whose engine is decided; NULL if there
// is none.
const char *capabilities_conflict(const Options *);

// Whether infinite runs are asked for (`E[]`, `A<>`, `-->`, Büchi), or extreme values.
bool capabilities_is_infinite(const Query *);
bool capabilities_is_extreme(const Query *);
bool capabilities_is_statistical(const Query *); // `Pr`, `E`, `simulate`
