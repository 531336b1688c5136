// Each row of the result is found by itself, once row 0 is known: cut by the guard, moved,
// settled, enlarged. What the row does not need is not done. A row that the guard leaves alone is
// read where it is stored; and rows of clocks above their L, which become infinite (dbm/extra.c),
// are not even read. Most clocks keep their neighbours: a row is moved by runs of clocks.
//
// Nothing wraps. As in dbm/kernel/step.h sums are right if both operands are within +-STEP_FAR,
// and this is looked at wherever it does not follow: if not, the step is refused.
// - Guard: at the row that is added to others, and at what is added to it.
// - Then at row 0, for small numbers. It does not get smaller from now on, and no sum is below
// its column's
//   entry there: it is the length of a path in a zone that is not empty. So from now on only
//   large numbers matter.
// - Row 0, whose entries are (<=, 0) at most, is added to limits that the invariant gives: these
//   are looked at.
// - Extrapolation leaves (<=, L) at most, which is below STEP_CONSTANT, and adds it to row 0.
//   When loose rows are closed, others are added to them: at these if they were loose themselves,
//   and at what is added to them.
// Columns behind the last clock hold anything.
#include "dbm/kernel/longstep.h"

#include "base/lanes.h"

#define INF16 INT16_MAX

enum { PIECE = 2 * LANES, MAX_PIECES = STEP_LONG / PIECE, WORDS = STEP_LONG / 64 };
#define NO_LIMIT INT32_MAX

// Where something is copied from and to, in a row.
typedef struct Place {
  uint16_t from, to;
} Place;

typedef struct Scratch {
  const int16_t *source[STEP_LONG]; // rows, cut by the guard
  const int16_t *target[STEP_LONG]; // rows over the target's clocks, those that are live
  uint64_t live[WORDS], dead[WORDS], loose[WORDS]; // clocks but 0; see dbm/extra.c
  // How to move a row: whole vectors, each over what the one before wrote too much, then entries.
  Place vectors[STEP_LONG], entries[STEP_LONG];
  uint32_t vector_count, entry_count;
  // Rows of whole vectors; the last one may be written and read further.
  _Alignas(32) int16_t cut[STEP_LONG * STEP_LONG + PIECE];
  _Alignas(32) int16_t moved[STEP_LONG * STEP_LONG + PIECE];
} Scratch;

DBM_INLINE Bound wide(int16_t v) { return v == INF16 ? BOUND_INF : v; }

DBM_INLINE Wide16 load(const int16_t *from) { return *(const Wide16At *)from; }

DBM_INLINE Wide16 choose(Wide16 mask, Wide16 a, Wide16 b) { return (a & mask) | (b & ~mask); }

DBM_INLINE Wide16 min(Wide16 a, Wide16 b) { return choose(a < b, a, b); }

DBM_INLINE Wide16 max(Wide16 a, Wide16 b) { return choose(a > b, a, b); }

// What wraps is in lanes that are never read.
DBM_INLINE Wide16 add(Wide16 a, Wide16 b) {
  return (Wide16)((WideUnsigned16)a + (WideUnsigned16)b);
}

// As a shuffle: otherwise gcc 12 puts one lane after the other into the vector.
DBM_INLINE Wide16 all(int32_t v) { return LANES_PERMUTE(((Wide16){(int16_t)v}), ((Wide16){0})); }

// Where entries from `at` on are those of n clocks.
DBM_INLINE Wide16 valid(uint32_t n, uint32_t at) {
  const Wide16 index = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return index < all((int32_t)(n - at));
}

DBM_INLINE uint32_t pieces_of(uint32_t n) { return (n + PIECE - 1) / PIECE; }

DBM_INLINE uint32_t words_of(uint32_t pieces) { return (pieces * PIECE + 63) / 64; }

// Bounds first + via, both finite.
DBM_INLINE Wide16 sums(Wide16 via, int32_t first) {
  return add(via & all(first | ~1), all(first & ~1));
}

// min(row, first + via), where via is `infinite` above all.
DBM_INLINE Wide16 relaxed(Wide16 row, Wide16 via, int32_t first, Wide16 infinite) {
  return min(row, choose(infinite, all(INF16), sums(via, first)));
}

// Whether all finite entries of a row are within +-STEP_FAR.
DBM_INLINE bool is_tame(const int16_t *row, uint32_t n) {
  Wide16 found = {0};
  for (uint32_t at = 0; at < n; at += PIECE) {
    const Wide16 v = load(row + at);
    found |= (((v > STEP_FAR) ^ (v == INF16)) | (v < -STEP_FAR)) & valid(n, at);
  }
  return !lanes_has(&found);
}

DBM_INLINE uint64_t bits_of_mask(Wide16 mask) {
  Lanes16 halves[2];
  memcpy(halves, &mask, sizeof halves);
  return lanes_bits16(&halves[0], &halves[1]);
}

// Finds the rows of the source.
DBM_INLINE void find_rows(Scratch *scratch, const Step *step) {
  const uint32_t n = step->n;
  const int16_t *from = step->from;
  for (uint32_t i = 0; i < n; i++)
    scratch->source[i] = from + i * n;
}

// One constraint; see dbm/dbm.c. Rows that it changes are written to `cut`.
DBM_INLINE StepResult cut_by(Scratch *scratch, uint32_t n, Constraint c) {
  const uint32_t width = pieces_of(n) * PIECE, i = c.i, j = c.j;
  const int16_t *via = scratch->source[j];
  if (c.bound >= wide(scratch->source[i][j]))
    return STEP_DONE;
  if (bound_sum(wide(via[i]), c.bound) < BOUND_LE_ZERO)
    return STEP_EMPTY;
  if (!is_tame(via, n))
    return STEP_REFUSED;
  for (uint32_t r = 0; r < n; r++) {
    const int16_t *row = scratch->source[r];
    const int32_t enter = row[i], first = bound_sum_finite(enter, c.bound);
    if (enter == INF16 || (first >= row[j] && first <= STEP_FAR))
      continue;
    if (first > STEP_FAR || first < -STEP_FAR)
      return STEP_REFUSED;
    int16_t *to = scratch->cut + r * width;
    for (uint32_t at = 0; at < width; at += PIECE) {
      const Wide16 v = load(via + at);
      *(Wide16 *)(to + at) = relaxed(load(row + at), v, first, v == INF16);
    }
    scratch->source[r] = to;
  }
  return STEP_DONE;
}

// Clocks from..to-1 have consecutive origins.
DBM_INLINE void add_run(Scratch *scratch, const ClockId *origin, uint32_t from, uint32_t to) {
  if (to - from == 1)
    scratch->entries[scratch->entry_count++] = (Place){(uint16_t)origin[from], (uint16_t)from};
  for (uint32_t at = from; to - from > 1 && at < to; at += PIECE)
    scratch->vectors[scratch->vector_count++] = (Place){(uint16_t)origin[at], (uint16_t)at};
}

// A run ends where the distance of a clock to its origin is another one than that before.
DBM_INLINE void find_runs(Scratch *scratch, const ClockId *origin, uint32_t k) {
  const Lanes32 first = {-1, 0, 0, 0, 0, 0, 0, 0}, next = {7, 0, 1, 2, 3, 4, 5, 6};
  Lanes32 index = {0, 1, 2, 3, 4, 5, 6, 7}, last = {0}; // clock 0 comes from itself
  uint32_t from = 0;
  scratch->vector_count = scratch->entry_count = 0;
  for (uint32_t block = 0; block < k; block += LANES, index += LANES) {
    const Lanes32 distance = *(const Lanes32At *)(origin + block) - index;
    const Lanes32 turned = LANES_PERMUTE(distance, next);
    const Lanes32 ends = distance != ((last & first) | (turned & ~first));
    last = turned;
    for (uint32_t bits = lanes_bits32(&ends); bits; bits &= bits - 1) {
      const uint32_t i = block + (uint32_t)__builtin_ctz(bits);
      if (i >= k)
        break;
      add_run(scratch, origin, from, i);
      from = i;
    }
  }
  add_run(scratch, origin, from, k);
}

DBM_INLINE const int16_t *move_row(const Scratch *scratch, int16_t *to, const int16_t *from) {
  for (const Place *v = scratch->vectors, *end = v + scratch->vector_count; v < end; v++)
    *(Wide16At *)(to + v->to) = load(from + v->from);
  for (const Place *e = scratch->entries, *end = e + scratch->entry_count; e < end; e++)
    to[e->to] = from[e->from];
  return to;
}

// What is the same for all rows.
typedef struct Common {
  Wide16 zero[MAX_PIECES];      // row 0 before extrapolation, which adds the following:
  Wide16 raised[MAX_PIECES];    // row 0 after it
  Wide16 is_free[MAX_PIECES];   // F: columns that become infinite
  Wide16 is_kept[MAX_PIECES];   // other columns, but 0
  Wide16 floors[2][MAX_PIECES]; // raised in F, else LOW; first without what strict bounds lack
  Wide16 behind;                // lanes behind a row, in its last piece
} Common;

// Less than any entry, and still if a bound up to (<=, L) is added.
enum { LOW = -2 * STEP_FAR + 1000 };

// From row 0; also which rows stay. False if an entry is too small.
DBM_INLINE bool find_common(Common *common, Scratch *scratch, const Step *step, uint32_t pieces) {
  const PackedBounds *bounds = step->bounds;
  const int16_t *row = scratch->target[0];
  Wide16 small = {0};
  scratch->live[0] = scratch->live[1] = scratch->dead[0] = scratch->dead[1] = 0;
  for (uint32_t p = 0; p < pieces; p++) {
    const Wide16 zero = load(row + p * PIECE), clocks = valid(step->k, p * PIECE);
    Wide16 is_dead = {0};
    common->zero[p] = common->raised[p] = zero;
    small |= (zero < -STEP_FAR) & clocks;
    if (bounds) {
      // (<, -U), above everything where U is missing; but clocks are not negative.
      const Wide16 below = add(load(bounds->use + p * PIECE), all(-1));
      const Wide16 is_free = zero < below, raised = min(below, all(1));
      const Wide16 twice_lower = load(bounds->twice_lower + p * PIECE);
      common->is_free[p] = is_free;
      common->is_kept[p] = clocks & ~is_free & ~(p ? (Wide16){0} : (Wide16){-1});
      common->raised[p] = choose(is_free, raised, zero);
      common->floors[1][p] = choose(is_free, raised, all(LOW));
      common->floors[0][p] = common->floors[1][p] & ~1;
      is_dead = (twice_lower < 0) | (zero < add(~twice_lower, all(1)));
    }
    scratch->live[p / 4] |= bits_of_mask(clocks & ~is_dead) << p % 4 * PIECE;
    scratch->dead[p / 4] |= bits_of_mask(clocks & is_dead) << p % 4 * PIECE;
  }
  scratch->live[0] &= ~(uint64_t)1;
  scratch->dead[0] &= ~(uint64_t)1;
  common->behind = ~valid(step->k, (pieces - 1) * PIECE);
  return !lanes_has(&small);
}

// The rows over the target's clocks, those that stay. False if an entry of row 0 is too small.
DBM_INLINE bool move(Common *common, Scratch *scratch, const Step *step, uint32_t pieces) {
  const ClockId *origin = step->origin;
  scratch->target[0] = scratch->source[0];
  if (origin) {
    find_runs(scratch, origin, step->k);
    scratch->target[0] = move_row(scratch, scratch->moved, scratch->source[0]);
  }
  if (!find_common(common, scratch, step, pieces))
    return false;
  for (uint32_t w = 0; w < STEP_LONG / 64; w++)
    for (uint64_t bits = scratch->live[w]; bits; bits &= bits - 1) {
      const uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(bits);
      scratch->target[i] = origin ? move_row(scratch, scratch->moved + i * pieces * PIECE,
                                             scratch->source[origin[i]])
                                  : scratch->source[i];
    }
  return true;
}

DBM_INLINE bool meets_invariant(const int16_t *zero, const Step *step) {
  for (uint32_t c = 0; c < step->invariant_count; c++)
    if (bound_sum_finite(zero[step->invariant[c].i], step->invariant[c].bound) < BOUND_LE_ZERO)
      return false;
  return true;
}

// The least bound that the invariant gives a row: what [i][0] becomes, at most.
DBM_INLINE int32_t limit_of(const int16_t *row, const Constraint *list, uint32_t count) {
  int32_t least = NO_LIMIT;
  for (const Constraint *c = list, *end = c + count; c < end; c++) {
    const int32_t entry = row[c->i], sum = bound_sum_finite(entry, c->bound);
    least = entry != INF16 && sum < least ? sum : least;
  }
  return least;
}

// The invariant and delay in one row, whose [i][0] becomes `up`; see dbm/kernel/steprows.h.
// Limits are not negative: [i][x] is at least [0][x], with which the invariant was met. A row
// that is cut, which is rare, is written anew. False if a number is too large.
DBM_INLINE bool settle_row(Scratch *scratch, const Step *step, const Common *common, uint32_t i,
                           uint32_t pieces, int32_t *up) {
  const int16_t *row = scratch->target[i];
  const int32_t limit = limit_of(row, step->invariant, step->invariant_count);
  if (limit == NO_LIMIT) {
    *up = step->can_delay ? INF16 : row[0];
    return true;
  }
  *up = step->can_delay || limit < row[0] ? limit : row[0];
  if (limit > STEP_FAR || limit >= row[0])
    return limit <= STEP_FAR;
  int16_t *to = scratch->moved + i * pieces * PIECE;
  for (uint32_t p = 0; p < pieces; p++)
    *(Wide16 *)(to + p * PIECE) = min(load(row + p * PIECE), sums(common->zero[p], limit));
  scratch->target[i] = to;
  return true;
}

// A row with [i][0] = up below the ceiling: so are all its entries. It is not loose, and in F,
// where no entry was larger, it is what the path over clock 0 gives.
DBM_INLINE void write_bounded(int16_t *image, const int16_t *row, const Common *common,
                              uint32_t pieces, int32_t up) {
  const Wide16 *floors = common->floors[up & 1], even = all(up & ~1);
  for (uint32_t p = 0; p < pieces; p++)
    *(Wide16At *)(image + p * PIECE) = max(load(row + p * PIECE), add(floors[p], even));
}

// Another row that stays. Whether it is loose, column 0 apart.
DBM_INLINE bool write_unbounded(int16_t *image, const int16_t *row, const Common *common,
                                uint32_t pieces, int32_t top) {
  const Wide16 tops = all(top);
  Wide16 rose = {0};
  for (uint32_t p = 0; p < pieces; p++) {
    const Wide16 old = load(row + p * PIECE), is_high = old > tops;
    rose |= is_high & common->is_kept[p] & (old != INF16);
    *(Wide16At *)(image + p * PIECE) = choose(is_high | common->is_free[p], all(INF16), old);
  }
  return lanes_has(&rose);
}

// A row that stays: invariant, delay, Extra_LU+ without the closure.
DBM_INLINE bool finish_row(Scratch *scratch, const Step *step, const Common *common, uint32_t i,
                           uint32_t pieces) {
  int16_t *image = step->image + i * step->k;
  int32_t up;
  if (!settle_row(scratch, step, common, i, pieces, &up))
    return false;
  const int16_t *row = scratch->target[i];
  if (!step->bounds) {
    for (uint32_t p = 0; p < pieces; p++)
      *(Wide16At *)(image + p * PIECE) = load(row + p * PIECE);
  } else if (up <= step->bounds->twice_lower[i] + 1) {
    write_bounded(image, row, common, pieces, up);
  } else {
    const int32_t top = step->bounds->twice_lower[i] + 1;
    const bool is_loose = write_unbounded(image, row, common, pieces, top) || up != INF16;
    scratch->loose[i / 64] |= (uint64_t)is_loose << i % 64;
    up = INF16;
  }
  image[0] = (int16_t)up;
  image[i] = BOUND_LE_ZERO;
  return true;
}

// A row without anything but the diagonal, and nothing behind it.
DBM_INLINE void write_dead(int16_t *image, uint32_t i, uint32_t k, uint32_t pieces) {
  for (uint32_t j = 0; k < PIECE && j < k; j++)
    image[j] = INF16;
  for (uint32_t p = 0; p + 1 < pieces; p++)
    *(Wide16At *)(image + p * PIECE) = all(INF16);
  if (k >= PIECE)
    *(Wide16At *)(image + k - PIECE) = all(INF16);
  image[i] = BOUND_LE_ZERO;
}

// Rows that stay are written whole, each over what the one before wrote too much; then those that
// are dead. False if a number is too large.
DBM_INLINE bool finish(Scratch *scratch, const Step *step, const Common *common,
                       uint32_t pieces) {
  const uint32_t k = step->k;
  int16_t *image = step->image;
  for (uint32_t p = 0; p < pieces; p++)
    *(Wide16At *)(image + p * PIECE) = common->raised[p];
  scratch->loose[0] = scratch->loose[1] = 0;
  for (uint32_t w = 0; w < words_of(pieces); w++)
    for (uint64_t bits = scratch->live[w]; bits; bits &= bits - 1)
      if (!finish_row(scratch, step, common, w * 64 + (uint32_t)__builtin_ctzll(bits), pieces))
        return false;
  for (uint32_t w = 0; w < words_of(pieces); w++)
    for (uint64_t bits = scratch->dead[w]; bits; bits &= bits - 1) {
      const uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(bits);
      write_dead(image + i * k, i, k, pieces);
    }
  return true;
}

// Adds a row to the loose ones, in place: lanes behind a row are those of the next.
DBM_INLINE bool close_over(const Scratch *scratch, const Step *step, const Common *common,
                           uint32_t pivot, uint32_t pieces) {
  const int16_t *via = step->image + pivot * step->k;
  for (uint32_t w = 0; w < words_of(pieces); w++)
    for (uint64_t bits = scratch->loose[w]; bits; bits &= bits - 1) {
      const uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(bits);
      int16_t *row = step->image + i * step->k;
      const int32_t first = row[pivot];
      if (first == INF16 || i == pivot)
        continue;
      if (first > STEP_FAR)
        return false;
      for (uint32_t p = 0; p < pieces; p++) {
        const Wide16 v = load(via + p * PIECE), old = load(row + p * PIECE);
        const Wide16 infinite = p + 1 < pieces ? v == INF16 : (v == INF16) | common->behind;
        *(Wide16At *)(row + p * PIECE) = relaxed(old, v, first, infinite);
      }
    }
  return true;
}

// Closes the loose rows; see dbm/extra.c. False if a number is too large.
DBM_INLINE bool tighten(const Scratch *scratch, const Step *step, const Common *common,
                        uint32_t pieces) {
  for (uint32_t w = 0; w < words_of(pieces); w++)
    for (uint64_t bits = scratch->live[w]; bits; bits &= bits - 1) {
      const uint32_t bit = (uint32_t)__builtin_ctzll(bits), pivot = w * 64 + bit;
      const bool is_loose = scratch->loose[w] >> bit & 1;
      if ((is_loose && !is_tame(step->image + pivot * step->k, step->k)) ||
          !close_over(scratch, step, common, pivot, pieces))
        return false;
    }
  return true;
}

// The step is copied: rows are written as vectors, which might be parts of it for all that the
// compiler knows.
DBM_INLINE StepResult run(const Step *given, uint32_t pieces) {
  const Step step = *given;
  Scratch scratch;
  Common common;
  find_rows(&scratch, &step);
  for (uint32_t c = 0; c < step.guard_count; c++) {
    const StepResult result = cut_by(&scratch, step.n, step.guard[c]);
    if (result != STEP_DONE)
      return result;
  }
  if (!move(&common, &scratch, &step, pieces))
    return STEP_REFUSED;
  if (!meets_invariant(scratch.target[0], &step))
    return STEP_EMPTY;
  if (!finish(&scratch, &step, &common, pieces) ||
      ((scratch.loose[0] | scratch.loose[1]) && !tighten(&scratch, &step, &common, pieces)))
    return STEP_REFUSED;
  return STEP_DONE;
}

DBM_CLONES static StepResult run_any(const Step *step) { return run(step, pieces_of(step->k)); }

DBM_CLONES static StepResult run_2(const Step *step) { return run(step, 2); }

DBM_CLONES static StepResult run_3(const Step *step) { return run(step, 3); }

StepResult longstep_run(const Step *step) {
  if (!step_is_small(step))
    return STEP_REFUSED;
  const uint32_t pieces = pieces_of(step->k);
  const StepResult result = pieces == 2 ? run_2(step) : pieces == 3 ? run_3(step) : run_any(step);
  step_look(step, result);
  return result;
}
