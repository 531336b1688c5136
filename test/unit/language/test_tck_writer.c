#include "reading.h"

#include "language/gen/gen.h"

// Shows a model, reads that and shows it again: nothing may change.
static void check_fixpoint(Reading *r) {
  text_clear(&r->text);
  tck_write(&r->text, &r->net);
  Reading again;
  reading_accept(&again, text_chars(&r->text));
  tck_write(&again.text, &again.net);
  assert_string_equal(text_chars(&r->text), text_chars(&again.text));
  assert_int_equal(r->net.edges.size, again.net.edges.size);
  for (EdgeId i = 0; i < r->net.edges.size; i++) {
    assert_int_equal(r->net.edges.items[i].source, again.net.edges.items[i].source);
    assert_int_equal(r->net.edges.items[i].target, again.net.edges.items[i].target);
    assert_int_equal(r->net.edges.items[i].event, again.net.edges.items[i].event);
  }
  reading_release(&again);
}

static void check_model(const char *text, const char *shown) {
  Reading r;
  reading_accept(&r, text);
  check_fixpoint(&r);
  if (shown)
    assert_string_equal(text_chars(&r.text), shown);
  reading_release(&r);
}

static void test_everything(void **unused) {
  (void)unused;
  check_model(
      "system:s{by: me}\nevent:e{k:}\nevent:f\nprocess:P{k: 1}\nclock:3:c\nclock:1:x{k: 2}\n"
      "int:2:-3:4:-1:v{k: 3}\nint:1:0:1:1:w\n"
      "location:P:A{ initial: : urgent: : labels: b,a : k: v w : invariant: x<=3&&c[1]<2}\n"
      "location:P:B{committed:}\nprocess:Q\nlocation:Q:A{initial:}\n"
      "edge:P:A:B:e{do:v[w]=1;x=c[0]+1 : provided:1<x<=2&&w : k: 4}\nedge:P:B:A:f{}\n"
      "edge:Q:A:A:e\nsync:P@e:Q@e?{k: 5}\n",
      "system:s{by: me}\n\nevent:e{k:}\nevent:f\nclock:3:c\nclock:1:x{k: 2}\n"
      "int:2:-3:4:-1:v{k: 3}\nint:1:0:1:1:w\n\nprocess:P{k: 1}\n"
      "location:P:A{initial: : urgent: : labels: b,a : invariant: x <= 3 && c[1] < 2 : "
      "k: v w}\nlocation:P:B{committed:}\n"
      "edge:P:A:B:e{provided: x > 1 && x <= 2 && w != 0 : do: v[w] = 1; x = c[0] + 1 : "
      "k: 4}\nedge:P:B:A:f\n\nprocess:Q\nlocation:Q:A{initial:}\nedge:Q:A:A:e\n\n"
      "sync:P@e:Q@e?{k: 5}\n");
}

// Edges that are not declared process by process keep their order.
static void test_order_of_edges(void **unused) {
  (void)unused;
  check_model(PREAMBLE "edge:Q:A:A:a\nedge:P:A:B:a\nedge:Q:A:A:b\n", NULL);
  check_model("system:s\nprocess:P\nlocation:P:A{initial:}\n",
              "system:s\n\nprocess:P\nlocation:P:A{initial:}\n");
}

static void test_expressions(void **unused) {
  (void)unused;
  check_model(
      PREAMBLE
      "edge:P:A:B:a{provided: !(!i) && -(-(i)) < 3-(4-j) && (if v[v[0]] then 1 else -2)*2 "
      "== 1 && (z[i]-z[j]) < -5 : do: local k[2]; while k[0]<3 do k[0]=k[0]+1; if "
      "i then nop else x=y+(i-1)*2 end end; i = -(-2147483648)}\n",
      NULL);
}

static void test_generated(void **unused) {
  (void)unused;
  for (int i = 0; gen_name(i); i++) {
    Reading r;
    Mem mem = {0};
    Report report;
    Text text = {.mem = &mem};
    report_init(&report, &mem);
    if (gen_write(&text, &report, gen_name(i), 0, NULL)) {
      reading_accept(&r, text_chars(&text));
      check_fixpoint(&r);
      reading_release(&r);
    }
    report_release(&report);
    text_release(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_everything),
      cmocka_unit_test(test_order_of_edges),
      cmocka_unit_test(test_expressions),
      cmocka_unit_test(test_generated),
  };
  return cmocka_run_group_tests_name("tck_writer", tests, NULL, NULL);
}
