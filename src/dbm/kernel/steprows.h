// The work of dbm/kernel/step.c on rows of one vector. A template: included once for each width,
// with the following defined; otherwise it is empty.
//   STEP_ROW       vector of 16-bit entries;  STEP_AT  the same, anywhere in memory
//   STEP_UNSIGNED  the same, unsigned;  STEP_LEAST  its least lane
//   STEP_ANY       some lane is set;  STEP_INDEX  0, 1, 2 ...;  STEP_NAME(n)  marks the names
// Columns behind the last clock hold anything.

#ifdef STEP_ROW

// Where entries are those of clocks.
DBM_INLINE STEP_ROW STEP_NAME(valid)(uint32_t n) {
  const STEP_ROW index = {STEP_INDEX};
  return index < (int16_t)n;
}

// One of two rows, lane by lane.
DBM_INLINE STEP_ROW STEP_NAME(choose)(STEP_ROW mask, STEP_ROW a, STEP_ROW b) {
  return (a & mask) | (b & ~mask);
}

DBM_INLINE STEP_ROW STEP_NAME(min)(STEP_ROW a, STEP_ROW b) {
  return STEP_NAME(choose)(a < b, a, b);
}

// What wraps is in lanes that are never read.
DBM_INLINE STEP_ROW STEP_NAME(add)(STEP_ROW a, STEP_ROW b) {
  return (STEP_ROW)((STEP_UNSIGNED)a + (STEP_UNSIGNED)b);
}

// Sums of bounds, as rows_relax, where `even` and `keep` are those of the other one.
DBM_INLINE STEP_ROW STEP_NAME(sum)(STEP_ROW v, STEP_ROW even, STEP_ROW keep, STEP_ROW infinite) {
  const STEP_ROW sum = STEP_NAME(add)(v & keep, even);
  return STEP_NAME(choose)(infinite, (STEP_ROW){0} + INF16, sum);
}

// min(row, first + via)
DBM_INLINE void STEP_NAME(relax)(STEP_ROW *row, STEP_ROW via, Bound first) {
  const STEP_ROW zero = {0}, even = zero + (int16_t)(first & ~1),
                 keep = zero + (int16_t)(first | ~1);
  *row = STEP_NAME(min)(STEP_NAME(sum)(via, even, keep, via == INF16), *row);
}

// False if an entry is too large.
DBM_INLINE bool STEP_NAME(read)(STEP_ROW *d, const Step *step) {
  const uint32_t n = step->n;
  const int16_t *from = step->from;
  STEP_ROW outside = {0};
  for (STEP_ROW *row = d, *end = d + n; row < end; row++, from += n) {
    *row = *(const STEP_AT *)from;
    outside |= (*row > STEP_NEAR) ^ (*row == INF16);
  }
  outside = (outside | (d[0] < -STEP_NEAR)) & STEP_NAME(valid)(n);
  return !STEP_ANY(&outside);
}

// Intersects with the guard, each constraint with the tests of dbm_constrain; false if nothing is
// left.
DBM_INLINE bool STEP_NAME(cut)(STEP_ROW *d, const Step *step) {
  for (uint32_t at = 0; at < step->guard_count; at++) {
    const Constraint c = step->guard[at];
    const size_t i = c.i, j = c.j;
    if (c.bound >= wide(d[i][j]))
      continue;
    if (bound_sum(wide(d[j][i]), c.bound) < BOUND_LE_ZERO)
      return false;
    const STEP_ROW via = d[j];
    for (STEP_ROW *row = d, *end = d + step->n; row < end; row++) {
      const Bound enter = (*row)[i], first = bound_sum_finite(enter, c.bound);
      if (first < (*row)[j] && enter != INF16)
        STEP_NAME(relax)(row, via, first);
    }
  }
  return true;
}

DBM_INLINE void STEP_NAME(permute)(STEP_ROW *to, const STEP_ROW *from, const Step *step) {
  const ClockId *origin = step->origin;
  STEP_ROW index;
  for (size_t l = 0; l < sizeof index / sizeof(int16_t); l++)
    index[l] = (int16_t)origin[l];
  for (uint32_t i = 0; i < step->k; i++)
    to[i] = LANES_PERMUTE(from[origin[i]], index);
}

// The target's invariant and delay. Upper bounds x <= c are edges to clock 0: a shortest path
// that takes one goes on in row 0, which stays as it is. So all are applied at once; the sum that
// is `least` for a row before delay is so after it too, as the row then has changed by paths
// through row 0 only, and [0][x] + c is not negative. False if nothing is left.
DBM_INLINE bool STEP_NAME(settle)(STEP_ROW *d, const Step *step) {
  int16_t upper[sizeof *d / sizeof(int16_t)];
  *(STEP_AT *)upper = (STEP_ROW){0} + INF16;
  for (uint32_t c = 0; c < step->invariant_count; c++) {
    const Constraint now = step->invariant[c];
    if (bound_sum_finite(d[0][now.i], now.bound) < BOUND_LE_ZERO)
      return false;
    upper[now.i] = (int16_t)bound_min(upper[now.i], now.bound);
  }
  const STEP_ROW bounds = *(const STEP_AT *)upper, none = bounds == INF16;
  const STEP_ROW even = bounds & ~1, keep = bounds | ~1, via = d[0];
  for (STEP_ROW *row = d + 1, *end = d + step->k; row < end; row++) {
    int16_t least = INF16;
    if (step->invariant_count) {
      least = STEP_LEAST(STEP_NAME(sum)(*row, even, keep, none | (*row == INF16)));
      if (least < (*row)[0])
        STEP_NAME(relax)(row, via, least);
    }
    if (step->can_delay)
      (*row)[0] = least;
  }
  return true;
}

// Extra_LU+; see dbm/extra.c for the rules, for R (dead rows), F (infinite columns), W (loose
// rows), and for why the closure may leave out what it does.
DBM_INLINE void STEP_NAME(extrapolate)(STEP_ROW *d, const Step *step) {
  const PackedBounds *bounds = step->bounds;
  const uint32_t k = step->k;
  const STEP_ROW zero = d[0], clocks = STEP_NAME(valid)(k);
  const STEP_ROW infinite = (STEP_ROW){0} + INF16;
  // (<, -U), above everything where U is missing; but clocks are not negative.
  const STEP_ROW one = (STEP_ROW){0} + 1;
  const STEP_ROW below = STEP_NAME(add)(*(const STEP_AT *)bounds->use, -one);
  const STEP_ROW is_free = (zero < below) & clocks, is_kept = clocks & ~is_free;
  const STEP_ROW twice_lower = *(const STEP_AT *)bounds->twice_lower;
  const STEP_ROW ceilings = STEP_NAME(add)(twice_lower, one);
  const STEP_ROW is_dead = (twice_lower < 0) | (zero < STEP_NAME(add)(~twice_lower, one));
  const bool has_free = STEP_ANY(&is_free);
  unsigned live = 0, loose = 0;
  for (uint32_t i = 1; i < k; i++) {
    if (is_dead[i]) {
      d[i] = infinite;
    } else {
      const STEP_ROW v = d[i], high = v > ceilings[i];
      d[i] = STEP_NAME(choose)(high | is_free, infinite, v);
      const STEP_ROW rose = (d[i] ^ v) & is_kept;
      live |= 1u << i;
      loose |= (unsigned)STEP_ANY(&rose) << i;
    }
    d[i][i] = BOUND_LE_ZERO;
  }
  if (has_free) {
    d[0] = STEP_NAME(choose)(is_free, STEP_NAME(min)(below, one), zero); // one: (<=, 0)
    for (uint32_t i = 1; i < k; i++)
      if (d[i][0] != INF16)
        STEP_NAME(relax)(&d[i], d[0], d[i][0]);
  }
  for (unsigned pivots = loose ? live : 0; pivots; pivots &= pivots - 1) {
    const unsigned p = (unsigned)__builtin_ctz(pivots);
    for (unsigned rows = loose & ~(1u << p); rows; rows &= rows - 1) {
      STEP_ROW *row = &d[__builtin_ctz(rows)];
      if ((*row)[p] != INF16)
        STEP_NAME(relax)(row, d[p], (*row)[p]);
    }
  }
}

// Rows are written whole, each over the padding of the one before.
DBM_INLINE void STEP_NAME(write)(const STEP_ROW *d, const Step *step) {
  int16_t *image = step->image;
  for (const STEP_ROW *row = d, *end = d + step->k; row < end; row++, image += step->k)
    *(STEP_AT *)image = *row;
}

DBM_INLINE StepResult STEP_NAME(run)(const Step *step) {
  STEP_ROW first[STEP_MAX], second[STEP_MAX], *d = first;
  if (!STEP_NAME(read)(d, step))
    return STEP_REFUSED;
  if (!STEP_NAME(cut)(d, step))
    return STEP_EMPTY;
  if (step->origin) {
    STEP_NAME(permute)(second, first, step);
    d = second;
  }
  if (!STEP_NAME(settle)(d, step))
    return STEP_EMPTY;
  if (step->bounds)
    STEP_NAME(extrapolate)(d, step);
  STEP_NAME(write)(d, step);
  return STEP_DONE;
}

#undef STEP_ROW
#undef STEP_AT
#undef STEP_UNSIGNED
#undef STEP_ANY
#undef STEP_LEAST
#undef STEP_INDEX
#undef STEP_NAME

#endif
