// Models from texts: what becomes of them, and all that is wrong with one at once, with places.
#include "language/uppaal/uppaal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct Reading {
  Mem mem;
  Report report;
  Net net;
  Source source;
  bool ok;
} Reading;

static void read_text(Reading *r, const char *text) {
  *r = (Reading){.source = {.name = "text", .text = text, .size = strlen(text)}};
  report_init(&r->report, &r->mem);
  net_init(&r->net, &r->mem);
  r->ok = uppaal_read(&r->net, &r->source, &r->report);
}

static void release(Reading *r) {
  net_release(&r->net);
  report_release(&r->report);
  assert_int_equal(r->mem.bytes, 0);
}

static void test_recognition(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool is_uppaal;
  } cases[] = {
      {"system:s\nprocess:P\n", false},
      {"# comment\nsystem:s\n", false},
      {"// comment\nclock x;", true},
      {"<?xml?><nta/>", true},
      {"clock x;\n", true},
      {"clock:1:x\n", false},
      {"  process P() {", true},
      {"", false},
  };
  for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const Source source = {.name = "text", .text = cases[k].text, .size = strlen(cases[k].text)};
    assert_int_equal(uppaal_is_model(&source), cases[k].is_uppaal);
  }
}

static void test_network(void **state) {
  (void)state;
  Reading r;
  read_text(&r, "typedef int[1,2] id_t; chan c[id_t]; int[0,9] v = 3; clock x[id_t];\n"
                "process P(const id_t i) { state A { x[i] <= 5 }, B; init A;\n"
                "  trans A -> B { select k : int[0,2]; guard k != i; sync c[i]!; }; }\n"
                "process Q() { state A; init A; trans A -> A { sync c[v - 2]?; }; }\n"
                "system P, Q;");
  assert_true(r.ok);
  assert_int_equal(r.net.processes.size, 3);
  assert_string_equal(r.net.processes.items[1].name, "P(2)");
  assert_string_equal(r.net.processes.items[1].template_name, "P");
  assert_int_equal(r.net.edges.size, 2 + 2 + 2); // k != i leaves two; v - 2 can be 1 and 2
  assert_int_equal(r.net.channels.size, 2);
  assert_int_equal(r.net.clock_count, 2);
  assert_true(r.net.invalid_is_error);
  release(&r);
}

// Structs with clocks have two parts, whose elements are named as they were declared.
static void test_clock_structs(void **state) {
  (void)state;
  Reading r;
  read_text(&r,
            "typedef struct { int[0,9] n; struct { clock x; bool b; } in[2]; clock y; } T;\n"
            "T a = {4, {{1, true}, {2, false}}, 3}, c[2];\n"
            "void f(T &t) { t.in[1].x = 0; t.n = 1; }\n"
            "process P(T &t) { state A; init A; trans A -> A { guard t.y > 1; assign f(t); }; }\n"
            "Q = P(c[1]); system Q;");
  assert_true(r.ok);
  assert_int_equal(r.net.clock_count, 9);
  assert_string_equal(r.net.clock_names[2], "a.in[1].x");
  assert_string_equal(r.net.clock_names[9], "c[1].y");
  assert_string_equal(r.net.slots.names[2], "a.in[1].b");
  static const int32_t clocks[] = {1, 2, 3}, slots[] = {4, 1, 0};
  assert_memory_equal(r.net.clocks.items[0].initial, clocks, sizeof clocks);
  assert_memory_equal(r.net.slots.initial, slots, sizeof slots);
  const ClockTest *test = &r.net.edges.items[0].guard.clock_tests[0];
  assert_int_equal(test->j, 9);
  release(&r);
  read_text(&r, "typedef struct { clock x; int n; } T; T a, b, c[2]; const T k = {1, 2}; int i;\n"
                "void f(T &t) { t.x = 0; }\n"
                "void g() { T l; }\n"
                "process P() { state A; init A;\n"
                "  trans A -> A { assign a = c; },\n"
                "        A -> A { assign f(c[i++]); },\n"
                "        A -> A { assign f(c), g(), i = c[0].y; }; }\n"
                "system P;");
  assert_false(r.ok);
  static const char *const errors[] = {
      "text:1:61: `k` has clocks",       "text:3:14: local clocks",
      "text:5:27: the two sides have",   "text:6:28: an index of a struct with clocks",
      "text:7:27: the argument for `t`", "text:7:41: there is no field"};
  for (uint32_t k = 0; k < sizeof errors / sizeof *errors; k++)
    assert_non_null(strstr(r.report.error.chars, errors[k]));
  release(&r);
}

// One error does not hide the others.
static void test_errors(void **state) {
  (void)state;
  Reading r;
  read_text(&r, "int a b;\nint c = ;\nprocess P() { state A; init A; }\nsystem P;");
  assert_false(r.ok);
  assert_non_null(strstr(r.report.error.chars, "text:1:7"));
  assert_non_null(strstr(r.report.error.chars, "text:2:9"));
  release(&r);
  read_text(&r, "clock x; double d; hybrid clock h;\n"
                "process P() { state A { x' == 2 }, B; init A;\n"
                "  trans A -> B { guard d > 1.5; assign unknown = 1; },\n"
                "        A -> B { guard h < 3; }, A -> B { guard x > 1; }; }\n"
                "system P;");
  assert_false(r.ok);
  assert_non_null(
      strstr(r.report.error.chars, "text:4:26: symbolic queries cannot depend on hyb"));
  assert_non_null(strstr(r.report.error.chars, "text:2:"));
  assert_non_null(strstr(r.report.error.chars, "clock rates"));
  assert_non_null(strstr(r.report.error.chars, "floating point"));
  release(&r);
  read_text(&r, "<nta><declaration>int x;</declaration>\n<template><name>T</name>\n"
                "<location id='a'/><location id='b'><name>B</name></location><init ref='a'/>\n"
                "<transition><source ref='a'/><target ref='b'/>\n"
                "<label kind='guard'>x == 1\n&amp;&amp; y == 2</label></transition>\n"
                "</template><system>system T;</system></nta>");
  assert_false(r.ok);
  assert_non_null(
      strstr(r.report.error.chars, "text:6: template T, edge _a -> B, guard: `y` is not"));
  release(&r);
}

static void test_queries(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int kind; // -1: refused
  } cases[] = {
      {"E<> P.A", QUERY_REACH},
      {"A[] not deadlock", QUERY_INVARIANT},
      {"A<> P.B", QUERY_EVENTUALLY},
      {"E[] P.A", QUERY_POSSIBLY},
      {"P.A --> P.B", QUERY_LEADS_TO},
      {"sup{P.A}: v, x", QUERY_SUP},
      {"inf: x", QUERY_INF},
      {"Pr[<=1](<> P.A)", QUERY_STATISTICAL},
      {"simulate 1 [<=1] {x}", QUERY_STATISTICAL},
      {"control: A[] P.A", -1},
      {"----", -1},
      {"// x", -1},
      {"E<> P.C", -1},
      {"A[p U q]", -1},
      {"E<> v = 1", -1},
      {"E<> P.A under s", -1},
  };
  Reading r;
  read_text(&r, "int v; clock x; process P() { state A, B; init A; trans A -> B; } system P;");
  assert_true(r.ok);
  for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Query query;
    Arena arena = {.mem = &r.mem};
    const Source source = {.name = "query", .text = cases[k].text, .size = strlen(cases[k].text)};
    report_clear(&r.report);
    const bool ok =
        uppaal_query(&query, &arena, &r.net, &source, 0, (uint32_t)source.size, &r.report);
    assert_int_equal(ok ? (int)query.kind : -1, cases[k].kind);
    assert_int_equal(!ok, report_failed(&r.report));
    arena_release(&arena);
  }
  release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_recognition),   cmocka_unit_test(test_network),
      cmocka_unit_test(test_errors),        cmocka_unit_test(test_queries),
      cmocka_unit_test(test_clock_structs),
  };
  return cmocka_run_group_tests_name("uppaal", tests, NULL, NULL);
}
