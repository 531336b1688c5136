// Expressions and their images under a permutation.
#include "analysis/symmetry/match.h"

#include "families.h"

// P and Q are swapped, with their clocks, their variables and the values 1 and 2 of ids.
#define MODEL                                                                                    \
  "system:s\nevent:a\nclock:1:x\nclock:1:y\nint:1:0:3:0:i\nint:1:0:3:0:j\nint:1:0:2:0:id\n"      \
  "int:1:0:2:0:other\nint:3:0:3:0:v\nint:3:0:2:0:q\nprocess:P\nprocess:Q\n"                      \
  "location:P:A{initial:}\nlocation:P:B{}\nlocation:Q:A{initial:}\nlocation:Q:B{}\n"

static const Draft draft = {.size = 2,
                            .processes = "P Q",
                            .clocks = "x y",
                            .slots = "i j v[1] v[2]",
                            .ids = "id other q[0] q[1] q[2]",
                            .values = {1, 2}};

static char text[4096];

// Whether the first guard and update become the second.
static bool matches(const char *guard, const char *update, const char *guard2,
                    const char *update2, unsigned skip) {
  snprintf(text, sizeof text,
           MODEL "edge:P:A:B:a{provided: %s : do: %s}\nedge:Q:A:B:a{provided: %s : do: %s}\n",
           guard, update, guard2, update2);
  Reading r;
  reading_accept(&r, text);
  const Family family = family_make(&r, &draft);
  const uint32_t image[] = {1, 0};
  const Permutation perm = family_permutation(&family, &r.arena, &r.net, image);
  const Match match = {.mem = &r.mem, .perm = &perm, .skip = skip};
  const Edge *a = &r.net.edges.items[0], *b = &r.net.edges.items[1];
  const bool good = match_expr(&match, a->guard.expr, b->guard.expr) &&
                    match_stmts(&match, a->update.stmts, b->update.stmts);
  reading_release(&r);
  return good;
}

static void test_guards(void **state) {
  (void)state;
  assert_true(matches("i==3 && x<2", "i=0", "j==3 && y<2", "j=0", 0));
  assert_false(matches("i==3 && x<2", "i=0", "i==3 && y<2", "j=0", 0)); // the variable stays
  assert_false(matches("i==3 && x<2", "i=0", "j==2 && y<2", "j=0", 0)); // another number
  assert_false(matches("i==3 && x<2", "i=0", "j==3 && x<2", "j=0", 0)); // the clock stays
  assert_false(matches("i==3 && x<2", "i=0", "j==3 && y<=2", "j=0", 0));
  assert_false(matches("i==3 && x<2", "i=0", "j==3 && y<3", "j=0", 0));
}

static void test_ids(void **state) {
  (void)state;
  assert_true(matches("id==1", "id=2", "id==2", "id=1", 0));
  assert_true(matches("id==0", "id=other", "id==0", "id=other", 0));
  assert_true(matches("id!=other", "other=1", "id!=other", "other=2", 0));
  assert_false(matches("id==1", "id=2", "id==1", "id=1", 0));
  assert_false(matches("id<1", "id=2", "id<2", "id=1", 0));
  assert_false(matches("id<2", "id=2", "id<2", "id=1", 0)); // an order
  assert_false(matches("id==1", "id=id+1", "id==2", "id=id+1", 0));
  assert_false(matches("id==1", "i=id", "id==2", "j=id", 0)); // a copy to a plain one
  assert_false(matches("id==i", "id=2", "id==j", "id=1", 0));
  assert_true(matches("id<2", "i=id", "id<2", "j=id", RULE_PLAIN));
}

static void test_arrays(void **state) {
  (void)state;
  assert_true(matches("v[1]==0", "v[2]=1", "v[2]==0", "v[1]=1", 0));
  assert_true(matches("v[id]==0", "v[other]=v[0]", "v[id]==0", "v[other]=v[0]", 0));
  assert_false(matches("v[id]==0", "v[i]=1", "v[id]==0", "v[j]=1", 0)); // a plain index
  assert_false(matches("v[id]==id", "i=1", "v[id]==id", "j=1", 0));
  assert_true(matches("q[i]==1", "q[0]=q[i]", "q[j]==2", "q[0]=q[j]", 0));
  assert_false(matches("q[id]==1", "i=1", "q[id]==2", "j=1", 0)); // its elements stay
  assert_true(matches("q[id]==1", "i=1", "q[id]==2", "j=1", RULE_INDICES));
}

static void test_statements(void **state) {
  (void)state;
  assert_true(matches("i==0", "local k = 0; while k<2 do q[k] = q[k+1]; k = k+1 end; q[2] = 0",
                      "j==0", "local k = 0; while k<2 do q[k] = q[k+1]; k = k+1 end; q[2] = 0",
                      0));
  assert_true(matches("i==0", "local k = 1; id = k", "j==0", "local k = 2; id = k", 0));
  assert_false(matches("i==0", "local k = 1; i = k", "j==0", "local k = 2; j = k", 0));
  assert_false(matches("i==0", "local k = id; i = k", "j==0", "local k = id; j = k", 0));
  assert_true(matches("i==0", "if (id == 1) then x = 0 else x = 1 end", "j==0",
                      "if (id == 2) then y = 0 else y = 1 end", 0));
  assert_false(matches("i==0", "if (id == 1) then x = 0 else x = 1 end", "j==0",
                       "if (id == 2) then y = 1 else y = 0 end", 0));
  assert_true(matches("i==0", "x = y + 1", "j==0", "y = x + 1", 0));
  assert_false(matches("i==0", "x = 0", "j==0", "x = 0", 0));
}

// A bound variable may stand for an id if its range is closed.
static void test_quantifiers(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, MODEL);
  const Family family = family_make(&r, &draft);
  const uint32_t image[] = {1, 0};
  const Permutation perm = family_permutation(&family, &r.arena, &r.net, image);
  Match match = {.mem = &r.mem, .perm = &perm};
  const Type *type = type_int(&r.arena, 0, 2);
  const Place place = {0};
  const Expr *id = expr_storage(&r.arena, place, EXPR_VAR, "id", type, 2);
  const Expr *k = expr_storage(&r.arena, place, EXPR_LOCAL, "k", type, 0);
  const Expr *same = expr_binary(&r.arena, place, EXPR_EQ, id, k);
  const Expr *both = expr_quantifier(&r.arena, place, EXPR_EXISTS, 0, 1, 2, same);
  const Expr *one = expr_quantifier(&r.arena, place, EXPR_EXISTS, 0, 1, 1, same);
  assert_true(match_expr(&match, both, both));
  assert_false(match_expr(&match, one, one)); // id == 1, which becomes id == 2
  match.skip = RULE_QUANTIFIERS;
  assert_true(match_expr(&match, one, one));
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_guards), cmocka_unit_test(test_ids), cmocka_unit_test(test_arrays),
      cmocka_unit_test(test_statements), cmocka_unit_test(test_quantifiers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
