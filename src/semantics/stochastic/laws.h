// A network as the simulator sees it: for each location its invariant, its rate, the choices that
// a process has there, and the processes that they affect. Made once, then shared by all threads.
#pragma once

#include "semantics/stochastic/condition.h"

// A number that is a constant or computed.
typedef struct LawNumber {
  const Code *code; // NULL: it is `constant`
  double constant;
} LawNumber;

// Cells (model/access.h) that an edge may change: `count` from `cell` on, in the slots from
// `slot` on. LAW_ALWAYS: what is there is not compared, and counts as changed.
typedef struct LawWrite {
  CellId cell;
  uint32_t slot, count;
  bool is_read; // delays or rates of clocks depend on it
} LawWrite;

#define LAW_ALWAYS UINT32_MAX

// An edge of the network.
typedef struct LawEdge {
  const Edge *edge;
  const Condition *guard;
  Update update; // with a stem: what the branch does
  LawNumber weight;
  uint32_t target;  // LocationId
  uint32_t channel; // index + 1; 0: none
  const LawWrite *writes;
  uint32_t write_count;
} LawEdge;

// What a process chooses among: an edge, or all branches of an edge to a branch point.
typedef struct LawChoice {
  const LawEdge *edges;
  uint32_t edge_count;
  uint32_t channel;    // index + 1; 0: none, or it is that of a branch
  bool is_late;        // a branch sends
  bool is_conditional; // only branches whose guards hold are possible
  bool has_stem;
  Update stem; // what is done before a branch is chosen
  bool is_urgent;
} LawChoice;

typedef struct LawRate { // x' == rate
  LawNumber clock;       // its index
  LawNumber rate;
  bool is_curved; // the rate reads clocks
} LawRate;

typedef struct LawLocation {
  const Location *location;
  bool is_committed, is_urgent;
  const Condition *invariant; // NULL: true
  bool has_rate;
  LawNumber rate;
  const LawRate *clock_rates;
  uint32_t clock_rate_count;
  bool is_curved;           // one of them reads clocks
  const LawChoice *outputs; // edges that the process takes by itself
  uint32_t output_count;
  const LawChoice *inputs; // edges with which it answers a broadcast
  uint32_t input_count;
} LawLocation;

// Processes whose delays depend on a cell, ascending.
typedef struct LawReaders {
  const ProcessId *items;
  uint32_t count;
} LawReaders;

// A rate of a clock: number k of a location.
typedef struct LawRateId {
  LocationId location;
  uint32_t k;
} LawRateId;

typedef struct LawRateReaders {
  const LawRateId *items;
  uint32_t count;
} LawRateReaders;

typedef struct Laws {
  const Net *net;
  const LawLocation *locations;      // by LocationId
  const ProcessId *const *receivers; // by channel: processes that have edges for it
  const uint32_t *receiver_counts;
  const LawReaders *readers;          // by cell
  const LawRateReaders *rate_readers; // by cell: rates that depend on it
  CellId first_clock;                 // the cell of clock 0
  const ProcessId *turners;           // processes that have rates of clocks, ascending
  uint32_t turner_count;
  uint32_t max_rates;     // of a location
  uint32_t max_written;   // slots of an edge
  const int32_t *initial; // a state
  bool has_rates;         // some clock does not run at rate 1
  bool has_curves;        // some clock follows a differential equation
  bool has_moving_rates;  // the rate of some delay reads clocks: all propose anew all the time
  double error;           // of one step of their integration, relative above 1
} Laws;

#define LAWS_ERROR 1e-10 // the error, unless the caller sets a smaller one

// False with an error in the report: what statistical queries do not have (binary channels,
// priorities, several initial states).
bool laws_make(Laws *, Arena *, const Net *, Report *);
