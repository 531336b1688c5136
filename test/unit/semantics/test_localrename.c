// Searches in local time that are reduced by symmetry: counts that are known, and what is no
// symmetry of local time.
#include "semantics/local/localrename.h"

#include "families.h"
#include "searching.h"
#include "semantics/local/local.h"
#include "semantics/zone/reduce.h"

static const struct {
  const char *family, *size;
  uint32_t stored;
} models[] = {
    {"corsso", "3", 364},        {"philosophers", "5", 57},   {"parallel", "5", 11},
    {"critical-region", "3", 0}, {"train-crossing", "3", 61}, {"fischer", "5", 40},
    {"poll", "4", 10},           {"csma", "5", 19},
};

static uint64_t explore(Search *s, const Symmetry *symmetry, bool prunes) {
  Reading *r = &s->reading;
  Space *space = local_new(&s->mem, &r->net, NULL, &s->options, &r->report);
  Reach reach;
  if (symmetry)
    reduce_attach(space, symmetry, prunes);
  s->stats = (Statistics){0};
  reach_init(&reach, &s->mem, space, ORDER_BFS, &s->stats);
  assert_int_equal(reach_run(&reach), REACH_NONE);
  reach_release(&reach);
  space_release(space);
  return s->stats.stored;
}

static void test_counts(void **state) {
  (void)state;
  for (uint32_t i = 0; i < sizeof models / sizeof *models; i++) {
    Search s;
    const char *const arguments[] = {models[i].size};
    search_generate(&s, models[i].family, 1, arguments);
    Reading *r = &s.reading;
    Symmetry found;
    symmetry_find(&found, &r->arena, &r->net);
    const Symmetry symmetry = localrename_restrict(&found, &r->arena, &r->net);
    assert_int_equal(symmetry.count, 1);
    const uint64_t all = explore(&s, NULL, false);
    const uint32_t size = symmetry.families[0].size;
    for (int prunes = 0; prunes < 2; prunes++) {
      const uint64_t stored = explore(&s, &symmetry, prunes);
      // At least the share of one state in each orbit, and no more than the known number.
      if (stored > all || (models[i].stored && stored > models[i].stored) ||
          (symmetry.families[0].is_cyclic && stored * size < all))
        fail_msg("%s %s: %u nodes of %u", models[i].family, models[i].size, (unsigned)stored,
                 (unsigned)all);
    }
    reading_release(r);
    text_release(&s.model);
  }
}

// R steps a variable by two edges that are one relation. In the second network one of them also
// reads a variable that others write, which matters to local time alone.
#define NETWORK(guard)                                                                           \
  "system:s\nevent:tau\nclock:1:x\nclock:1:y\nint:1:0:2:0:id\nint:1:0:1:0:v\n"                   \
  "process:P\nprocess:Q\nprocess:R\nlocation:P:A{initial:}\nlocation:Q:A{initial:}\n"            \
  "location:R:C{initial:}\n"                                                                     \
  "edge:P:A:A:tau{provided:id==1 : do:id=0;v=0}\n"                                               \
  "edge:Q:A:A:tau{provided:id==2 : do:id=0;v=0}\n"                                               \
  "edge:R:C:C:tau{provided:id>0&&id<2" guard " : do:id=id+1}\n"                                  \
  "edge:R:C:C:tau{provided:id==2 : do:id=1}\n"

static uint32_t count_local(const char *model) {
  Reading r;
  reading_accept(&r, model);
  const Draft draft = {
      .size = 2, .processes = "P Q", .clocks = "x y", .ids = "id", .values = {1, 2}};
  Family family = family_make(&r, &draft);
  family.by_tables = true;
  const Symmetry symmetry = {&family, 1};
  const uint32_t count = localrename_restrict(&symmetry, &r.arena, &r.net).count;
  reading_release(&r);
  return count;
}

static void test_accesses(void **state) {
  (void)state;
  assert_int_equal(count_local(NETWORK("")), 1);
  assert_int_equal(count_local(NETWORK("&&v>=0")), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts),
                                     cmocka_unit_test(test_accesses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
