// Mailboxes: what is put in comes out in order, what came back is spare, and waiting ends.
#include "base/mailbox.h"

#include <stdarg.h>

#include <cmocka.h>

static bool has_mail(void *box) { return mailbox_has_mail(box); }
static bool never(void *context) { return !context; }

static void test_order(void **state) {
  (void)state;
  Mailbox box;
  Batch first = {0}, second = {0}, third = {0}, *batches[] = {&first, &second, &third};
  mailbox_init(&box);
  assert_false(mailbox_has_mail(&box));
  for (int i = 0; i < 3; i++)
    mailbox_put(&box, batches[i]);
  Batch *list = mailbox_take(&box);
  for (int i = 0; i < 3; i++, list = list->next)
    assert_ptr_equal(list, batches[i]);
  assert_null(list);
  assert_false(mailbox_has_mail(&box));
  mailbox_release(&box);
}

static void test_spare(void **state) {
  (void)state;
  Mailbox box;
  Batch first = {0}, second = {0};
  mailbox_init(&box);
  assert_null(mailbox_spare(&box));
  box.away = 2;
  assert_null(mailbox_spare(&box));
  mailbox_return(&box, &first);
  assert_int_equal(mailbox_collect(&box), 1);
  mailbox_return(&box, &second);
  assert_ptr_equal(mailbox_spare(&box), &first);
  assert_ptr_equal(mailbox_spare(&box), &second);
  assert_int_equal(box.away, 0);
  mailbox_release(&box);
}

static void *put_later(void *box) {
  static Batch batch;
  mailbox_put(box, &batch);
  return NULL;
}

static void test_await(void **state) {
  (void)state;
  Mailbox box;
  pthread_t thread;
  mailbox_init(&box);
  assert_false(mailbox_await(&box, has_mail, &box, 0.001));
  pthread_create(&thread, NULL, put_later, &box);
  assert_true(mailbox_await(&box, has_mail, &box, 0));
  pthread_join(thread, NULL);
  mailbox_await_return(&box, never, &box);
  mailbox_release(&box);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_spare),
                                     cmocka_unit_test(test_await)};
  return cmocka_run_group_tests_name("mailbox", tests, NULL, NULL);
}
