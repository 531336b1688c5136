// Places for templates that have none, in layers: no two locations in one place, edges that would
// lie on each other are bent.
#include "language/uppaal/placing.h"

#include "language/uppaal/uppaal.h"
#include "reading.h"

static void test_layers(void **state) {
  (void)state;
  Reading r;
  reading_accept_uppaal(
      &r, "process P() { state A, B, C, D, E; init B; trans B -> A {}, B -> C {}, C -> B {},\n"
          "A -> A {}, A -> D {}, A -> D {}, D -> B {}; }\nsystem P;");
  TemplateNode *t = uppaal_document(&r.net)->templates;
  placing_in_layers(&r.arena, t);
  const LocationNode *a = t->locations, *b = a->next, *c = b->next, *d = c->next;
  for (const LocationNode *l = a; l; l = l->next)
    for (const LocationNode *k = a; k != l; k = k->next)
      assert_true(l->at.is_given && (k->at.x != l->at.x || k->at.y != l->at.y));
  assert_true(b->at.y < a->at.y && a->at.y == c->at.y && c->at.y < d->at.y);
  const EdgeNode *e = t->edges;
  assert_null(e->nails); // a plain edge
  e = e->next;
  assert_true(e->nails && e->next->nails); // there and back
  assert_true(e->nails->at.x != e->next->nails->at.x || e->nails->at.y != e->next->nails->at.y);
  e = e->next->next;
  assert_non_null(e->nails->next);                             // a loop
  assert_true(e->next->nails == NULL && e->next->next->nails); // two of the same ends
  reading_release(&r);
}

// With graphviz or without it.
static void test_all(void **state) {
  (void)state;
  Reading r;
  reading_accept_uppaal(&r, "process P() { state A, B; init A; trans A -> B { guard true; },\n"
                            "B -> A {}, A -> A {}; }\nsystem P;");
  TemplateNode *t = uppaal_document(&r.net)->templates;
  placing_place(&r.arena, t);
  const LocationNode *a = t->locations, *b = a->next;
  assert_true(a->at.is_given && b->at.is_given && a->name_label.at.is_given);
  assert_true(a->at.x != b->at.x || a->at.y != b->at.y);
  const PointNode before = a->at;
  placing_place(&r.arena, t); // they have places now
  assert_true(a->at.x == before.x && a->at.y == before.y);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_layers), cmocka_unit_test(test_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
