// Answers and their writers: what a check found, as text and as JSON.
#pragma once

#include "answers/runs/trace.h"
#include "output/explanation.h"
#include "search/options.h"
#include "search/statistics.h"

typedef enum Verdict {
  VERDICT_NOT_SATISFIED,
  VERDICT_SATISFIED,
  VERDICT_EXPLORED,
  VERDICT_UNDECIDED,
  VERDICT_REFUSED,  // it cannot be decided, or not with these options
  VERDICT_ESTIMATED // a statistical query got a number
} Verdict;

// An extreme value of an expression.
typedef struct AnswerNumber {
  const char *expression;
  bool is_inf; // the least one; else the greatest
  bool found;  // some state satisfies the condition
  bool is_strict, is_infinite;
  int64_t value; // in the model's units of time
} AnswerNumber;

typedef struct Answer {
  const char *query; // as written; NULL: none
  bool is_labels;    // the query is a list of labels
  bool is_invariant; // A[]: a trace is a counterexample
  Verdict verdict;
  const char *expectation; // what the model says of the query, such as `F`; NULL: nothing
  const char *reason;      // why undecided or refused; lives as long as the net
  const char *ending;      // how the run goes on without steps; constant text, NULL: it does not
  const char *obstacles;   // below that: what stands in the way, in lines; NULL: nothing
  const char *values;      // of sup, inf and bounds: what was found; NULL: it is another query
  const AnswerNumber *numbers; // the same as numbers
  uint32_t number_count;
  struct Estimate *estimate; // of a statistical query; NULL: it is another one
  Explanation *explanation;  // NULL: none is asked for
  Statistics stats;
  Options options;   // as they were
  char symmetry[64]; // the group by which the search was reduced; empty: none
  bool has_trace;
  Trace trace;
  struct MoreRun *more; // with --traces: the runs after this one, each with something new
  uint32_t more_count;
  // With --traces: what of interest the run uses, in lines; with several values, such as those of
  // `bounds`: which of them it shows. NULL: else.
  const char *covers;
  const char *more_end; // why there are no more than these; NULL: there are as many as wanted
  Preferred preferred;  // what is known of the trace: that it is a shortest one, say
  bool is_any;          // a shortest one would have taken longer than the search
  bool needs_zones;     // no other engine of zones answers this query with these options
} Answer;

typedef struct MoreRun {
  Trace trace;
  const char *covers; // what is new in it, in lines
  const char *ending; // as that of the answer
} MoreRun;

// The JSON Schema of what is written here, among the installed ones.
#define ANSWER_SCHEMA "answers-1.json"

// Reasons of answers that are runs of the simulator.
#define ANSWER_SIMULATED "simulated"
#define ANSWER_RANDOM "random run"

// With the run or without: as output/runtext.h writes it, with what changes or in full.
typedef enum AnswerRun { ANSWER_NO_RUN, ANSWER_RUN, ANSWER_FULL_RUN } AnswerRun;
void answer_text(Text *, const Answer *, AnswerRun);
const char *answer_end(const Answer *); // what is said of the end of its run
void answer_stats(Text *, const Answer *);

typedef VEC(Answer *) Answers;
// One object with all answers, one line; the second as an object of jansson, the caller's.
void answer_json(Text *, const Net *, const Options *, const Answers *);
// The same with what was said, as reports say it; and if there is no model, that alone.
void answer_json_with(Text *, const Net *, const Options *, const Answers *, const char *warnings,
                      const char *errors);
// `model` is its path, NULL if there was none to be read.
void answer_errors(Text *, const char *model, const char *warnings, const char *errors);
struct json_t *answer_object(Mem *, const Net *, const Options *, const Answers *);
// Without the runs.
struct json_t *answer_object_briefly(Mem *, const Net *, const Options *, const Answers *);
