// Drawings: which there are, what stands for which edge of the net, and coordinates of the file.
#include "output/drawing.h"

#include "reading.h"

#define LOCATIONS                                                                                \
  "<location id='a' x='0' y='0'><name>A</name></location><location id='b' x='100' y='0'>"        \
  "<name>B</name></location><branchpoint id='c' x='50' y='50'/><init ref='a'/>"
#define EDGE(from, to, labels)                                                                   \
  "<transition><source ref='" from "'/><target ref='" to "'/>" labels "</transition>"
#define MODEL                                                                                    \
  "<nta><template><name>T</name><parameter>const int[0,1] k</parameter>" LOCATIONS EDGE(         \
      "a", "b", "<label kind='select'>i : int[0,2]</label>")                                     \
      EDGE("b", "c", "<label kind='guard'>k == 1</label>") EDGE("c", "a", "") EDGE(              \
          "c", "b",                                                                              \
          "") "</template><template><name>Q</name><location id='a'/><init ref='a'/></template>"  \
              "<system>system T, Q;</system></nta>"

static void test_uppaal(void **unused) {
  (void)unused;
  Reading r;
  reading_accept_uppaal(&r, MODEL);
  Arena arena = {.mem = &r.mem};
  Drawings d;
  drawing_find(&d, &arena, &r.net);
  assert_int_equal(d.count, 2);
  assert_int_equal(d.items[0].process_count, 2);
  assert_true(d.of_process[0] == 0 && d.of_process[1] == 0 && d.of_process[2] == 1);
  const uint32_t **parts = drawing_edges(&d, &arena);
  uint32_t counts[4] = {0};
  for (EdgeId e = 0; e < r.net.edges.size; e++)
    for (const uint32_t *k = parts[e]; *k != UINT32_MAX; k++)
      counts[*k]++;
  assert_int_equal(counts[0], 6); // three choices in both instances
  assert_int_equal(counts[1], 2); // two branches, in the instance where the guard is not false
  assert_int_equal(counts[2], 1);
  assert_int_equal(counts[3], 1);
  drawing_write(&r.text, &d, &arena, 10);
  const char *svg = text_chars(&r.text);
  assert_non_null(strstr(svg, "<figure data-drawing=\"0\"><svg class=\"placed\""));
  assert_non_null(strstr(svg,
                         "id=\"tarn-edge0-0\"><path fill=\"none\" d=\"M15.0,0.0 L85.0,0.0\"/>"
                         "<polygon points=\"85.0,0.0 76.0,4.5 76.0,-4.5\"/>"));
  assert_non_null(strstr(svg, ">T, 2 processes</text>"));
  assert_non_null(strstr(svg, ">k == 1</text>"));
  assert_non_null(strstr(svg, "id=\"tarn-location1\"><title>B</title><ellipse cx=\"100\""));
  assert_null(strstr(svg, "id=\"tarn-location2\""));
  arena_release(&arena);
  reading_release(&r);
}

static void test_tchecker(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, PREAMBLE "edge:Q:A:A:a\nedge:P:A:B:a\n");
  Arena arena = {.mem = &r.mem};
  Drawings d;
  drawing_find(&d, &arena, &r.net);
  assert_int_equal(d.count, r.net.processes.size);
  const uint32_t **parts = drawing_edges(&d, &arena);
  assert_true(!parts[0] && !parts[1]);
  arena_release(&arena);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_uppaal),
                                     cmocka_unit_test(test_tchecker)};
  return cmocka_run_group_tests_name("drawing", tests, NULL, NULL);
}
