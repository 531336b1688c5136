// Exact linear programs against a naive search on quarters, and against the definition.
#include "answers/runs/simplex.h"
#include "base/random.h"
#include "reading.h"

enum { COLUMNS = 3, MAX_ROWS = 6, GRID = 4, GRID_END = 6 * GRID };

typedef struct Problem {
  int8_t rows[MAX_ROWS][COLUMNS];
  int64_t bounds[MAX_ROWS];
  bool is_strict[MAX_ROWS];
  uint32_t count;
} Problem;

static void draw(Problem *p, Random *random) {
  p->count = 1 + random_below(random, MAX_ROWS);
  for (uint32_t i = 0; i < p->count; i++) {
    for (uint32_t j = 0; j < COLUMNS; j++)
      p->rows[i][j] = (int8_t)random_between(random, -1, 1);
    p->bounds[i] = random_between(random, -4, 5);
    p->is_strict[i] = !random_below(random, 4);
  }
}

static bool meets(const Problem *p, const int64_t *values, int64_t denominator) {
  for (uint32_t i = 0; i < p->count; i++) {
    int64_t sum = 0;
    for (uint32_t j = 0; j < COLUMNS; j++)
      sum += p->rows[i][j] * values[j];
    const int64_t most = p->bounds[i] * denominator;
    if (p->is_strict[i] ? sum >= most : sum > most)
      return false;
  }
  return true;
}

static bool is_on_grid(const Problem *p) {
  for (int64_t a = 0; a <= GRID_END; a++)
    for (int64_t b = 0; b <= GRID_END; b++)
      for (int64_t c = 0; c <= GRID_END; c++)
        if (meets(p, (int64_t[]){a, b, c}, GRID))
          return true;
  return false;
}

static void test_random(void **unused) {
  (void)unused;
  Mem mem = {0};
  Random random;
  uint32_t solved = 0, none = 0;
  random_seed(&random, 5);
  for (uint32_t round = 0; round < 2000; round++) {
    Problem p;
    Simplex s;
    draw(&p, &random);
    simplex_init(&s, &mem, COLUMNS);
    for (uint32_t i = 0; i < p.count; i++)
      simplex_add(&s, p.rows[i], p.bounds[i], p.is_strict[i]);
    const SimplexResult result = simplex_solve(&s);
    assert_int_not_equal(result, SIMPLEX_GAVE_UP);
    if (result == SIMPLEX_SOLVED) {
      assert_true(s.denominator > 0 && meets(&p, s.values.items, s.denominator));
      for (uint32_t j = 0; j < COLUMNS; j++)
        assert_true(s.values.items[j] >= 0);
    } else {
      assert_false(is_on_grid(&p));
    }
    solved += result == SIMPLEX_SOLVED;
    none += result == SIMPLEX_NONE;
  }
  assert_true(solved > 200 && none > 200);
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
