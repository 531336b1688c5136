// Relations under other names, by running them.
#include "check/renamed_runs.h"

#include "reading.h"

// A process that hands a token on: round and round, or to and fro.
#define MODEL(last)                                                                              \
  "system:s\nevent:tau\nint:1:0:3:0:id\nprocess:R\nlocation:R:A{initial:}\n"                     \
  "edge:R:A:A:tau{provided:id>0&&id<3 : do:id=id+1}\n"                                           \
  "edge:R:A:A:tau{provided:id==3 : do:id=" last "}\n"

static bool turns(const char *model) {
  Reading r;
  reading_accept(&r, model);
  static const uint32_t to[] = {1, 2, 0}, sort[] = {1};
  static const int32_t ids[] = {1, 2, 3};
  const RenamedValues values = {1, ids};
  const RenamedFamily family = {.size = 3, .value_columns = 1, .values = &values, .sort = sort};
  Prover p = {.mem = &r.mem, .arena = {.mem = &r.mem}, .net = &r.net};
  access_init(&p.access, &p.arena, &r.net);
  net_vm(&r.net, &p.vm, &r.mem);
  const Names turned = naming_make(&p, &family, to), own = naming_make(&p, NULL, NULL);
  const bool same = renamed_runs_agree(&p, &turned, &own, 0);
  access_release(&p.access);
  vm_release(&p.vm);
  arena_release(&p.arena);
  reading_release(&r);
  return same;
}

static void test_rings(void **state) {
  (void)state;
  assert_true(turns(MODEL("1")));
  assert_false(turns(MODEL("2")));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
