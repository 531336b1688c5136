#include "answers/runs/simplex.h"

#include <string.h>

__extension__ typedef __int128 Wide; // for products

enum { MAX_ENTRIES = 1 << 25 }; // of a tableau, 8 bytes each

// A row is D * basic + sum of entry * nonbasic = right side, with D > 0 for all rows. The last
// column is the right side. The last two rows are goals to be made larger: minus the artificial
// variable, and e.
typedef struct Tableau {
  Mem *mem;
  int64_t *entries;
  uint32_t rows, columns; // without goals and right sides
  uint32_t *basic, *free; // variables, by row and by column
  int64_t denominator;
  bool has_outgrown;
} Tableau;

void simplex_init(Simplex *s, Mem *mem, uint32_t columns) {
  *s = (Simplex){.mem = mem, .columns = columns, .denominator = 1};
}

void simplex_add(Simplex *s, const int8_t *row, int64_t bound, bool is_strict) {
  const uint32_t size = s->entries.size;
  vec_reserve(s->mem, &s->entries, size + s->columns);
  memcpy(s->entries.items + size, row, s->columns);
  s->entries.size = size + s->columns;
  vec_push(s->mem, &s->rows, ((SimplexRow){bound, is_strict}));
}

static int64_t *row_of(const Tableau *t, uint32_t row) {
  return t->entries + (size_t)row * (t->columns + 1);
}

// Everything fits into 64 bits; products are made in 128.
static void eliminate(Tableau *t, int64_t *row, const int64_t *pivot_row, uint32_t column,
                      int64_t pivot) {
  const int64_t factor = row[column];
  for (uint32_t j = 0; j <= t->columns; j++) {
    if (j == column || (pivot == t->denominator && (!factor || !pivot_row[j])))
      continue;
    const Wide exact = ((Wide)row[j] * pivot - (Wide)factor * pivot_row[j]) / t->denominator;
    t->has_outgrown |= exact > INT64_MAX / 2 || exact < INT64_MIN / 2;
    row[j] = (int64_t)exact;
  }
}

// The variable of the column becomes basic, that of the row free.
static void exchange(Tableau *t, uint32_t row, uint32_t column) {
  int64_t *const pivot_row = row_of(t, row);
  const bool is_negative = pivot_row[column] < 0;
  for (uint32_t j = 0; is_negative && j <= t->columns; j++)
    pivot_row[j] = -pivot_row[j];
  const int64_t pivot = pivot_row[column];
  for (uint32_t i = 0; i < t->rows + 2; i++) {
    int64_t *other = row_of(t, i);
    if (i == row)
      continue;
    eliminate(t, other, pivot_row, column, pivot);
    if (!is_negative)
      other[column] = -other[column];
  }
  pivot_row[column] = is_negative ? -t->denominator : t->denominator;
  t->denominator = pivot;
  const uint32_t variable = t->basic[row];
  t->basic[row] = t->free[column];
  t->free[column] = variable;
  mem_tick(t->mem);
}

// The column to make basic: the steepest, or the first variable, with which no cycle is possible
// (Bland 1977). t->columns if there is none: the goal cannot be larger.
static uint32_t find_column(const Tableau *t, uint32_t goal, uint32_t banned, bool is_careful) {
  const int64_t *row = row_of(t, goal);
  uint32_t best = t->columns;
  for (uint32_t j = 0; j < t->columns; j++)
    if (row[j] < 0 && t->free[j] != banned &&
        (best == t->columns || (is_careful ? t->free[j] < t->free[best] : row[j] < row[best])))
      best = j;
  return best;
}

// The row that limits the column first; t->rows if none does. `first` leaves if it can.
static uint32_t find_row(const Tableau *t, uint32_t column, uint32_t first) {
  uint32_t best = t->rows;
  for (uint32_t i = 0; i < t->rows; i++) {
    const int64_t *row = row_of(t, i);
    if (row[column] <= 0)
      continue;
    if (best == t->rows) {
      best = i;
      continue;
    }
    const int64_t *known = row_of(t, best);
    const Wide left = (Wide)row[t->columns] * known[column];
    const Wide right = (Wide)known[t->columns] * row[column];
    if (left < right || (left == right && t->basic[best] != first &&
                         (t->basic[i] == first || t->basic[i] < t->basic[best])))
      best = i;
  }
  return best;
}

// Makes the goal larger until it cannot be, or is positive. The goals have upper bounds.
static void raise_goal(Tableau *t, uint32_t goal, uint32_t artificial, bool is_banned) {
  const uint64_t patience = 4 * ((uint64_t)t->rows + t->columns);
  for (uint64_t round = 0; !t->has_outgrown && row_of(t, goal)[t->columns] <= 0; round++) {
    const uint32_t column =
        find_column(t, goal, is_banned ? artificial : UINT32_MAX, round > patience);
    const uint32_t row = column < t->columns ? find_row(t, column, artificial) : t->rows;
    if (row == t->rows)
      return;
    exchange(t, row, column);
    if (goal == t->rows && !row_of(t, goal)[t->columns])
      return; // the artificial variable is 0
  }
}

static void fill(Tableau *t, const Simplex *s, bool has_strict) {
  const uint32_t epsilon = s->columns, artificial = s->columns + 1;
  for (uint32_t i = 0; i < s->rows.size; i++) {
    int64_t *row = row_of(t, i);
    for (uint32_t j = 0; j < s->columns; j++)
      row[j] = s->entries.items[(size_t)i * s->columns + j];
    row[epsilon] = s->rows.items[i].is_strict;
    row[artificial] = -1;
    row[t->columns] = s->rows.items[i].bound;
  }
  int64_t *last = row_of(t, s->rows.size); // e <= 1, or e <= 0
  last[epsilon] = 1;
  last[artificial] = -1;
  last[t->columns] = has_strict;
  row_of(t, t->rows)[artificial] = 1;
  row_of(t, t->rows + 1)[epsilon] = -1;
  for (uint32_t j = 0; j < t->columns; j++)
    t->free[j] = j;
  for (uint32_t i = 0; i < t->rows; i++)
    t->basic[i] = t->columns + i;
}

static uint32_t lowest_row(const Tableau *t) {
  uint32_t lowest = 0;
  for (uint32_t i = 1; i < t->rows; i++)
    if (row_of(t, i)[t->columns] < row_of(t, lowest)[t->columns])
      lowest = i;
  return lowest;
}

// Makes the artificial variable free, if it is basic: it is 0.
static void drop_artificial(Tableau *t, uint32_t artificial) {
  for (uint32_t i = 0; i < t->rows; i++) {
    if (t->basic[i] != artificial)
      continue;
    for (uint32_t j = 0; j < t->columns; j++)
      if (row_of(t, i)[j]) {
        exchange(t, i, j);
        return;
      }
  }
}

static SimplexResult solve(Tableau *t, Simplex *s, bool has_strict) {
  const uint32_t artificial = s->columns + 1, lowest = lowest_row(t);
  if (row_of(t, lowest)[t->columns] < 0) {
    exchange(t, lowest, artificial);
    raise_goal(t, t->rows, artificial, false);
    if (!t->has_outgrown && row_of(t, t->rows)[t->columns])
      return SIMPLEX_NONE;
    drop_artificial(t, artificial);
  }
  if (has_strict)
    raise_goal(t, t->rows + 1, artificial, true);
  if (t->has_outgrown)
    return SIMPLEX_GAVE_UP;
  if (has_strict && row_of(t, t->rows + 1)[t->columns] <= 0)
    return SIMPLEX_NONE;
  s->denominator = t->denominator;
  vec_reserve(s->mem, &s->values, s->columns + 1);
  s->values.size = s->columns;
  memset(s->values.items, 0, s->columns * sizeof *s->values.items);
  for (uint32_t i = 0; i < t->rows; i++)
    if (t->basic[i] < s->columns)
      s->values.items[t->basic[i]] = row_of(t, i)[t->columns];
  return SIMPLEX_SOLVED;
}

SimplexResult simplex_solve(Simplex *s) {
  Tableau t = {.mem = s->mem, .rows = s->rows.size + 1, .columns = s->columns + 2};
  bool has_strict = false;
  for (uint32_t i = 0; i < s->rows.size; i++)
    has_strict |= s->rows.items[i].is_strict;
  const uint64_t entries = (uint64_t)(t.rows + 2) * (t.columns + 1);
  if (entries > MAX_ENTRIES)
    return SIMPLEX_GAVE_UP;
  t.entries = mem_alloc(s->mem, entries * sizeof *t.entries);
  t.basic = mem_alloc(s->mem, t.rows * sizeof *t.basic);
  t.free = mem_alloc(s->mem, t.columns * sizeof *t.free);
  t.denominator = 1;
  fill(&t, s, has_strict);
  const SimplexResult result = solve(&t, s, has_strict);
  mem_free(s->mem, t.entries);
  mem_free(s->mem, t.basic);
  mem_free(s->mem, t.free);
  return result;
}
