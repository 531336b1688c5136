// Random runs: made, written, read and replayed; each number of one, changed, is rejected.
#define _POSIX_C_SOURCE 200809L // mkstemp
#include "plan/randomrun.h"

#include "sessions.h"

#include <jansson.h>
#include <unistd.h>

// Clocks with several rates, random numbers in updates, branches, receivers, committed locations.
static const char model[] =
    "clock x, w; double d = 0.0; double a[2]; int n = 0; broadcast chan go, urge;\n"
    "process P() { state s { x <= 4 && w' == 2 }, t; commit t; branchpoint b; init s;\n"
    " trans s -> b { guard x >= 1; sync go!; assign x = 0, d = random(3.0); },\n"
    " b -> s { probability 3; assign a[1] = d + w; }, b -> t { probability n; assign n = 7; },\n"
    " t -> s { assign n = 1; }; }\n"
    "process Q() { clock y; state s { ; 1 }; init s; trans s -> s { guard n < 5; sync go?;\n"
    " assign n = n + 1, y = 0; }, s -> s { guard y >= 1; assign d = d / 2; }; }\n"
    "system P, Q;\n";

// A curve, which ends at a guard.
static const char curve[] = "clock v = 1.0; broadcast chan c; urgent broadcast chan now;\n"
                            "process P() { state s { v' == 0 - v }, t { v' == 0 }; init s;\n"
                            " trans s -> t { guard v <= 0.5; sync now!; }; } system P;\n";

static Tarn *read_model(const char *text) {
  Tarn *tarn = tarn_init();
  if (tarn_read_text(tarn, text, "uppaal"))
    fail_msg("%s", tarn_error(tarn));
  return tarn;
}

static json_t *make(Tarn *tarn, const char *query, unsigned run) {
  static char text[1 << 20];
  if (tarn_random_run(tarn, tarn_query_new(tarn, query), run, 5))
    fail_msg("%s", tarn_error(tarn));
  assert_string_equal(tarn_warnings(tarn), "");
  assert_true(tarn_write_buffer(tarn, text, sizeof text, "random run", "json") > 0);
  json_t *root = json_loads(text, 0, NULL);
  assert_non_null(root);
  return root;
}

// The result of tarn_certify.
static int replay(Tarn *tarn, json_t *root) {
  char path[] = "/tmp/tarn-randomrun-XXXXXX";
  const int file = mkstemp(path);
  char *text = json_dumps(root, JSON_REAL_PRECISION(17));
  assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
  close(file);
  const int result = tarn_certify(tarn, path);
  unlink(path);
  free(text);
  return result;
}

// Changes a value; NULL if it is none that can be.
static json_t *changed(const json_t *value) {
  char text[80];
  if (json_is_integer(value))
    return json_integer(json_integer_value(value) + 1);
  if (json_is_real(value))
    return json_real(json_real_value(value) + 0.0078125);
  if (!json_is_string(value))
    return NULL;
  long long over = 0, under = 1;
  if (sscanf(json_string_value(value), "%lld/%lld", &over, &under) < 1)
    return json_string("nothing");
  snprintf(text, sizeof text, "%lld/%lld", over * 128 + under, under * 128);
  return json_string(text);
}

static void forge(Tarn *tarn, json_t *root, json_t *at, unsigned *count) {
  const char *key;
  json_t *value;
  size_t i;
  json_object_foreach(at, key, value) {
    json_t *other = changed(value);
    if (!strcmp(key, "seed") || !strcmp(key, "run") || !strcmp(key, "tolerance") ||
        !strcmp(key, "kind") || !strcmp(key, "query")) {
      json_decref(other);
    } else if (other) {
      json_incref(value);
      json_object_set_new(at, key, other);
      if (replay(tarn, root) == 1)
        fail_msg("%s, changed, is accepted: %s", key, tarn_finding(tarn));
      json_object_set_new(at, key, value);
      ++*count;
    } else {
      forge(tarn, root, value, count);
    }
  }
  json_array_foreach(at, i, value) {
    json_t *other = changed(value);
    if (other) {
      json_incref(value);
      json_array_set_new(at, i, other);
      assert_int_not_equal(replay(tarn, root), 1);
      json_array_set_new(at, i, value);
      ++*count;
    } else {
      forge(tarn, root, value, count);
    }
  }
}

static void test_forged(void **unused) {
  (void)unused;
  Tarn *tarn = read_model(model);
  for (unsigned run = 0; run < 3; run++) {
    unsigned count = 0;
    json_t *root = make(tarn, "Pr[<=12](<> n == 7)", run);
    assert_int_equal(replay(tarn, root), 1);
    assert_non_null(strstr(tarn_finding(tarn), "exact"));
    forge(tarn, root, root, &count);
    assert_true(count > 40);
    json_decref(root);
  }
  tarn_release(tarn);
}

// A run that is satisfied is not said to be unsatisfied, nor the other way round.
static void test_outcomes(void **unused) {
  (void)unused;
  static const char *const queries[] = {"Pr[<=12](<> n == 7)", "Pr[<=12]([] n < 7)",
                                        "Pr[#<=9](n < 7 U d > 2)", "Pr[<=12](<> x > 2)"};
  Tarn *tarn = read_model(model);
  for (unsigned k = 0; k < sizeof queries / sizeof *queries; k++)
    for (unsigned run = 0; run < 20; run++) {
      json_t *root = make(tarn, queries[k], run);
      if (replay(tarn, root) != 1)
        fail_msg("%s", tarn_finding(tarn));
      const bool is_hit = json_is_true(json_object_get(root, "satisfied"));
      json_object_set_new(root, "satisfied", json_boolean(!is_hit));
      if (replay(tarn, root) == 1 && !strstr(tarn_finding(tarn), "not checked"))
        fail_msg("%s, run %u: %s", queries[k], run, tarn_finding(tarn));
      json_decref(root);
    }
  tarn_release(tarn);
}

// x is between 5 and 6 within a delay: found where it is linear; else the outcome is not shown.
static void test_between(void **unused) {
  (void)unused;
  static const struct {
    const char *goal;
    int accepted;
    bool is_open; // the replay says that not all was checked
  } goals[] = {{"x > 50", 1, false},
               {"x > 5 && x < 6", 0, false},
               {"x > 5.2 && x < 5.3", 0, false},
               {"x * x > 30.0 && x * x < 30.1", 1, true},
               {"P.u", 1, false}};
  Tarn *tarn = read_model("clock x; process P() { state s { x <= 10 }, t, u; init s;\n"
                          " trans s -> t { guard x >= 10; }; } system P;\n");
  json_t *root = make(tarn, "Pr[<=20](<> x > 50)", 0);
  for (uint32_t k = 0; k < sizeof goals / sizeof *goals; k++) {
    char query[80];
    snprintf(query, sizeof query, "Pr[<=20](<> %s)", goals[k].goal);
    json_object_set_new(root, "query", json_string(query));
    assert_int_equal(replay(tarn, root), goals[k].accepted);
    if (goals[k].accepted)
      assert_int_equal(strstr(tarn_finding(tarn), "not checked") != NULL, goals[k].is_open);
  }
  json_decref(root);
  tarn_release(tarn);
}

static void test_values(void **unused) {
  (void)unused;
  Tarn *tarn = read_model(model);
  json_t *root = make(tarn, "E[<=12; 5](max: w + d)", 2);
  assert_int_equal(replay(tarn, root), 1);
  const double value = json_real_value(json_object_get(root, "value"));
  json_object_set_new(root, "value", json_real(value - 0.25));
  assert_int_equal(replay(tarn, root), 0);
  json_decref(root);
  tarn_release(tarn);
}

// Integrated clocks are replayed within a tolerance, which the file states, and not beyond it.
static void test_curve(void **unused) {
  (void)unused;
  Tarn *tarn = read_model(curve);
  json_t *root = make(tarn, "Pr[<=3](<> P.t)", 0);
  assert_true(json_real_value(json_object_get(root, "tolerance")) > 0);
  assert_int_equal(replay(tarn, root), 1);
  assert_non_null(strstr(tarn_finding(tarn), "within"));
  unsigned count = 0;
  forge(tarn, root, root, &count);
  assert_true(count > 5);
  json_object_set_new(root, "tolerance", json_real(0));
  assert_int_equal(replay(tarn, root), 0);
  json_object_set_new(root, "tolerance", json_real(2));
  assert_int_equal(replay(tarn, root), -1);
  json_decref(root);
  tarn_release(tarn);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_forged),
                                     cmocka_unit_test(test_outcomes),
                                     cmocka_unit_test(test_between),
                                     cmocka_unit_test(test_values), cmocka_unit_test(test_curve)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
