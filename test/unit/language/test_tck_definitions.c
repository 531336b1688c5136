// What the lines of a model of UPPAAL name but do not say, in lines of their own.
#include "reading.h"

static void check_lines(const char *model, const char *lines) {
  Reading r;
  reading_accept_uppaal(&r, model);
  tck_write(&r.text, &r.net);
  if (!strstr(text_chars(&r.text), lines))
    fail_msg("%s\nis not in\n%s", lines, text_chars(&r.text));
  reading_release(&r);
}

#define PROCESS(updates)                                                                         \
  "process P() { state A; init A; trans A -> A { " updates " }; } system P;"

static void test_functions(void **unused) {
  (void)unused;
  check_lines("int[0,9] a; int f(int[0,3] n) { int k; for (i : int[1,2]) k += n; return k; }"
              "void g() { a = f(2); }" PROCESS("guard f(1) > 0; assign g();"),
              "edge:P:A:A:tau{provided: f(1) > 0 : do: g()}\n\n"
              "function:f{result: int[-32768,32767] : parameters: int[0,3] : locals: "
              "int[-32768,32767] k#1, int i#2, int[0,3] n#0 : do: local k#1; i#2 = 1; "
              "while i#2 <= 2 do k#1 = k#1 + n#0; i#2 = i#2 + 1 end; return k#1}\n"
              "function:g{result: void : do: a = f(2)}\n");
  // One for each variable that a reference stands for; one for variables of frames.
  check_lines("int a, b[2]; void f(int &x) { x++; }"
              "void g() { int c; f(c); a = c; }" PROCESS("assign f(a), f(b[a]), g();"),
              "do: f(); f#2(a); g()}\n\n"
              "function:f{result: void : do: a = a + 1}\n"
              "function:f#2{result: void : parameters: int : locals: int index#0 : do: "
              "b[index#0] = b[index#0] + 1}\n"
              "function:f#3{result: void : parameters: int : locals: int[-32768,32767] &x#0 : "
              "do: x#0 = x#0 + 1}\n"
              "function:g{result: void : locals: int[-32768,32767] c#0 : do: local c#0; "
              "f#3(c#0); a = c#0}\n");
  // Processes share what is the same.
  check_lines("int a; process P(const int n) { void f() { a = n; } void g() { a = 0; } state A; "
              "init A; trans A -> A { assign f(), g(); }; } Q = P(1); R = P(2); system Q, R;",
              "function:f{result: void : do: a = 1}\nfunction:g{result: void : do: a = 0}\n"
              "function:f#2{result: void : do: a = 2}\n");
}

static void test_hooks(void **unused) {
  (void)unused;
  check_lines(
      "int a; before_update { a = 1 } after_update { { int k = a; a = 2 * k; } }" PROCESS(""),
      "\nbefore_update{do: a = 1}\nafter_update{locals: int[-32768,32767] k#0 : do: "
      "k#0 = a; a = 2 * k#0}\n");
}

static void test_constants(void **unused) {
  (void)unused;
  check_lines("const int[0,9] c[int[1,2]][2] = {{1, 2}, {3, 4}};"
              "int[1,2] a; const struct { int[0,5] n[2]; bool b; } s = {{5, 4}, true};" PROCESS(
                  "guard c[a][0] < c[2][a - 1]; assign a = s.n[a];"),
              "edge:P:A:A:tau{provided: c#1[a][0] < c#2[a - 1] : do: a = s#1[a]}\n");
  check_lines("const int[0,9] c[int[1,2]][2] = {{1, 2}, {3, 4}};"
              "int[1,2] a;" PROCESS("guard c[a][0] < c[2][a - 1];"),
              "\nconst:c#1{type: int[0,9][1,2][2] : values: 1,2,3,4}\n"
              "const:c#2{type: int[0,9][2] : values: 3,4}\n");
}

// The variable of the quantifier has the name of another one, which a parameter stands for.
static void test_bound(void **unused) {
  (void)unused;
  check_lines("int i; bool b[2]; process P(int &k) { state A; init A; "
              "trans A -> A { guard forall (i : int[0,1]) b[i] == k; }; } Q = P(i); system Q;",
              "{provided: forall (i# : int[0,1]) b[i#] == i}\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_functions),
      cmocka_unit_test(test_hooks),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_bound),
  };
  return cmocka_run_group_tests_name("tck_definitions", tests, NULL, NULL);
}
