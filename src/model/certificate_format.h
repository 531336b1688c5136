// The layout of certificates. check/certify.h says what they mean, doc/notes/certificates.md
// describes every field for the author of another checker.
//
// After the line "tarn certificate 6\n" come numbers, 7 bits to a byte, least first, the
// eighth bit set on all but the last; signed ones as 2n or -2n - 1.
//   features: a sum of CERTIFY_RENAMED, ...; a checker refuses one that it does not know
//   model:    32 bytes: SHA-256 of what `tarn show` prints
//   goal:     kind (CERTIFY_ALL, _QUERY, _LABELS); length and bytes of its text
//   origin:   length and bytes: how it was made, for people
//   claims:   with CERTIFY_VALUES only: count; for each value of `sup`, `inf` or `bounds`: a sum
//             of CERTIFY_LOW, ...; the least and the greatest value, signed, in the unit of the
//             matrices; 0 if there is none
//   process:  with CERTIFY_MARKED only
//   net:      slots of a state, clocks
//   dead:     with CERTIFY_FORGETS only: for each location, of each process in turn: count; for
//             each: gap from the last slot, which is dead there
//   slice:    with CERTIFY_SLICED only: count; for each: gap from the last process, which is left
//             out
//   families: with CERTIFY_RENAMED only, see below
//   numbers:  with CERTIFY_ENDLESS only: count; for each: the mark that is missing
//             (check/descent.h)
//   initials: count; for each: gap from the last ordinal, node that covers it
//   groups:   count; for each: the slots of the state, signed; with CERTIFY_ENDLESS the mode;
//             number of its nodes; nodes
//   node:     with CERTIFY_ENDLESS its number
//             bounds, as an index; if it is the next unused one, a definition: number of
//             clocks, for each: gap from the last clock, L, U as 0 none, 1 infinite, c + 2;
//             with CERTIFY_DIAGONALS the differences of clocks that matter
//             (check/nodediagonals.h): count; for each: x_i, x_j as indices into its clocks,
//             the bound on x_i - x_j as in the matrix, but without the 1
//             the matrix without diagonal, row major, x_i - x_j <= c as signed 2c + 1, < c as 2c,
//             plus 1 in the unsigned form; 0 is infinite
//             with CERTIFY_REDUCED the reason for which transitions are left out, 0 is none; else
//             with CERTIFY_STILL_BOUND the process and its clock; then the processes whose
//             transitions are not left out: count; for each: gap from the last one
//             number of successors; for each: gap from the last ordinal, node that covers it;
//             with CERTIFY_RENAMED for each family: number of ids that move, for each: id, where
//             to. A step into the other mode is a successor with the ordinal 2^32 - 1. With
//             CERTIFY_TIMED successors are a set, and ordinals say nothing
//   sections: count; for each: its number, length and bytes. A checker skips those that it does
//             not know: what has to be understood has a feature. CERTIFY_RUNS is a text in JSON,
//             with the runs that show the claims
//
// A family (check/renaming.h says what it means): ids, 1 if they are only rotated; columns of
// processes, their number first; of clocks; of variables; of events, each with 1 if they belong
// to a column of processes and that or the process; of values, each with its sort, signed; the
// sort of each variable; number of excluded locations, and these.
// Certificates of points (CERTIFY_POINTS, check/pointset.h) have in place of initials and groups
//   states:   count; for each: its slots, signed; the limit of each clock; number of its chains
//   chain:    the value of each clock in its first point; how many points follow, each by a unit
//             of delay, values above limits cut
// Ordinals are those of model/joint.h; gaps are the differences, less one. Nodes are numbered
// from 0 in the order of the file.
//
// Older certificates begin with "tarn certificate 1\n" to 5. They have neither features, nor the
// hash, nor sections. The features are none, CERTIFY_RENAMED, CERTIFY_ENDLESS, CERTIFY_DIAGONALS
// and CERTIFY_POINTS.
#pragma once

#define CERTIFY_PREFIX "tarn certificate " // of every version; a digit and the end of the line
#define CERTIFY_MAGIC CERTIFY_PREFIX "6\n"
#define CERTIFY_HOP UINT32_MAX // ordinal of a step into the other mode

enum {
  CERTIFY_RENAMED = 1,   // covering nodes are renamed: searches that symmetry reduces
  CERTIFY_ENDLESS = 2,   // it is about infinite runs
  CERTIFY_DIAGONALS = 4, // differences of clocks matter
  CERTIFY_POINTS = 8,    // points, not zones
  CERTIFY_REDUCED = 16,  // nodes leave out transitions (check/leftout.h)
  CERTIFY_VALUES = 32,   // it is about extreme values
  // It is about the model with one variable more, the last edge of a process (model/marking.h).
  CERTIFY_MARKED = 64,
  CERTIFY_TIMED = 128,    // of infinite runs: modes are parts of a condition (check/descent.h)
  CERTIFY_DIVERGES = 256, // of infinite runs: only those in which time diverges count
  CERTIFY_FORGETS = 512,  // nodes stand for all values of dead variables (check/forgotten.h)
  CERTIFY_SLICED = 1024,  // processes are left out (check/sliced.h)
};

// Why time stands still where a node leaves out transitions.
enum {
  CERTIFY_STILL_COMMITTED = 1, // a process is in a committed location
  CERTIFY_STILL_URGENT,        // in an urgent one
  CERTIFY_STILL_CHANNEL,       // an urgent synchronisation is enabled
  CERTIFY_STILL_BOUND,         // a clock has the upper bound of an invariant
};

// Of a claim about a value: where it lies in all states that satisfy the condition.
enum {
  CERTIFY_LOW = 1,         // it is at least the low value,
  CERTIFY_LOW_STRICT = 2,  // or more,
  CERTIFY_HIGH = 4,        // and at most the high value,
  CERTIFY_HIGH_STRICT = 8, // or less;
  CERTIFY_GROWS = 16,      // a clock that grows for ever;
  CERTIFY_EMPTY = 32,      // there is no such state
};
enum { CERTIFY_RUNS = 1 }; // number of a section

// Of finite entries of matrices, by absolute value. Models with large constants (net_is_wide)
// have other limits: then sums along the ways between so few clocks cannot overflow either.
#define CERTIFY_MAX_ENTRY (INT64_C(1) << 40)
#define CERTIFY_MAX_WIDE (INT64_C(1) << 50)
enum { CERTIFY_WIDE_CLOCKS = 1000 };

enum { CERTIFY_HASH = 32 }; // bytes of the model's hash
enum { CERTIFY_ALL, CERTIFY_QUERY, CERTIFY_LABELS };
enum { CERTIFY_NONE = 0, CERTIFY_INFINITE = 1, CERTIFY_FIRST = 2 }; // codes of L and U
