// The layout of certificates (check/certify.h says what they mean).
//
// After the line "tarn certificate 1\n" come numbers, 7 bits to a byte, least first, the
// eighth bit set on all but the last; signed ones as 2n or -2n - 1.
//   goal:     kind (CERTIFY_ALL, _QUERY, _LABELS); length and bytes of its text
//   origin:   length and bytes: how it was made, for people
//   net:      slots of a state, clocks
//   initials: count; for each: gap from the last ordinal, node that covers it
//   groups:   count; for each: the slots of the state, signed; number of its nodes; nodes
//   node:     bounds, as an index; if it is the next unused one, a definition: number of
//             clocks, for each: gap from the last clock, L, U as 0 none, 1 infinite, c + 2
//             the matrix without diagonal, row major, x_i - x_j <= c as signed 2c + 1, < c as 2c,
//             plus 1 in the unsigned form; 0 is infinite
//             number of successors; for each: gap from the last ordinal, node that covers it
// Certificates of models that compare two clocks begin with "tarn certificate 4\n". The
// definition of bounds then goes on with the differences of clocks that matter
// (check/nodediagonals.h):
//             count; for each: x_i, x_j as indices into its clocks, the bound on x_i - x_j as
//             in the matrix, but without the 1
// Certificates of searches that are reduced by symmetry begin with "tarn certificate 2\n". After
// the number of clocks they have
//   families: count; for each: ids, 1 if they are only rotated; columns of processes, their
//   number
//             first; of clocks; of variables; of events, each with 1 if they belong to a column
//             of processes and that or the process; of values, each with its sort, signed; the
//             sort of each variable; number of excluded locations, and these
// and after each covering node, for each family: number of ids that move, for each: id, where to.
// check/renaming.h says what they mean.
// Certificates that there is no run without end of some kind begin with "tarn certificate 3\n".
// After the number of clocks they have
//   numbers:  count; for each: the mark that is missing (check/descent.h)
// after the slots of a state: the mode; and before the bounds of a node: its number. A step into
// the other mode is a successor with the ordinal 2^32 - 1.
// Certificates of points (check/pointset.h) begin with "tarn certificate 5\n". After the number
// of clocks they have
//   states:   count; for each: its slots, signed; the limit of each clock; number of its chains
//   chain:    the value of each clock in its first point; how many points follow, each by a unit
//             of delay, values above limits cut
// Ordinals are those of model/joint.h; gaps are the differences, less one. Nodes are numbered
// from 0 in the order of the file.
#pragma once

#define CERTIFY_PREFIX "tarn certificate " // of every version
#define CERTIFY_MAGIC "tarn certificate 1\n"
#define CERTIFY_MAGIC_RENAMED "tarn certificate 2\n"   // of the same length
#define CERTIFY_MAGIC_LIVE "tarn certificate 3\n"      // the same
#define CERTIFY_MAGIC_DIAGONALS "tarn certificate 4\n" // the same
#define CERTIFY_MAGIC_POINTS "tarn certificate 5\n"    // the same
#define CERTIFY_HOP UINT32_MAX                         // ordinal of a step into the other mode

enum { CERTIFY_ALL, CERTIFY_QUERY, CERTIFY_LABELS };
enum { CERTIFY_NONE = 0, CERTIFY_INFINITE = 1, CERTIFY_FIRST = 2 }; // codes of L and U
