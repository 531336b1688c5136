// What texts look like after they were laid out; random texts keep their tokens, and laying out
// twice is laying out once.
#include "base/random.h"
#include "language/uppaal/pretty.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void print(Text *out, const char *text, PrettyKind kind) {
  const Source source = {.name = "text", .text = text, .size = strlen(text)};
  const PrettyText in = {.source = &source, .end = (uint32_t)source.size, .kind = kind};
  text_clear(out);
  pretty_print(out, out->mem, &in);
}

static void check(PrettyKind kind, const char *text, const char *wanted) {
  Mem mem = {0};
  Text out = {.mem = &mem}, again = {.mem = &mem};
  print(&out, text, kind);
  assert_string_equal(text_chars(&out), wanted);
  print(&again, text_chars(&out), kind);
  assert_string_equal(text_chars(&again), wanted);
  mem_release(&mem);
}

static void test_blanks(void **state) {
  (void)state;
  check(PRETTY_MODEL, "int  a=-1 ,b [ 2 ]={1,- 2} ;", "int a = -1, b[2] = {1, -2};");
  check(PRETTY_MODEL, "typedef int [ 0 , N-1 ] id_t;", "typedef int[0,N-1] id_t;");
  check(PRETTY_MODEL, "void f(int &x){x++ ;--x;}", "void f(int &x) { x++; --x; }");
  check(PRETTY_MODEL, "int x=a- -b;", "int x = a - -b;");
  check(PRETTY_MODEL, "int x=- -b;", "int x = - -b;");
  check(PRETTY_MODEL, "bool b=forall(i:id_t)(!c[i]||d);",
        "bool b = forall (i : id_t) (!c[i] || d);");
  check(PRETTY_MODEL, "A->B{guard x<=3&&y'==1;sync a [i] ?;assign x:=0,y=1?2:3;}",
        "A -> B { guard x <= 3 && y' == 1; sync a[i]?; assign x := 0, y = 1 ? 2 : 3; }");
  check(PRETTY_MODEL, "for(i=0;i<N;i++)x=f (i) ;", "for (i = 0; i < N; i++) x = f(i);");
  check(PRETTY_MODEL, "if(a){b=1;}else{return-1;}", "if (a) { b = 1; } else { return -1; }");
  check(PRETTY_LABEL, "go !", "go!");
  check(PRETTY_LABEL, "x=0,\n   y=1", "x = 0,\ny = 1");
  check(PRETTY_QUERY, "A[]!P.a  imply x>1", "A[] !P.a imply x > 1");
  check(PRETTY_QUERY, "E<>P( 1 ).cs and(x==2)", "E<> P(1).cs and (x == 2)");
  check(PRETTY_QUERY, "P.a-->P.b", "P.a --> P.b");
  check(PRETTY_QUERY, "sup{p}:x,y", "sup{p}: x, y");
  check(PRETTY_QUERY, "Pr[<=10](<>P.a)", "Pr[<=10](<> P.a)");
  check(PRETTY_QUERY, "E<> a \\\n  || b", "E<> a \\\n  || b");
  check(PRETTY_MODEL, "query{P.a-->E<>b;}int a=b-->c;",
        "query { P.a --> E<> b; } int a = b-- > c;");
  check(PRETTY_MODEL, "bool b=x=<3;", "bool b = x =< 3;");
  check(PRETTY_QUERY, "E<> a # b  c", "E<> a # b  c");
}

static void test_lines(void **state) {
  (void)state;
  check(PRETTY_MODEL, "int f() {\nreturn\n1;\n}\n\n\n\nint a;\n",
        "int f() {\n  return\n      1;\n}\n\nint a;");
  check(PRETTY_MODEL,
        "process P() {\nstate A,\nB { x<=1 };\ninit A;\ntrans A->B {\nguard x>1;\n},\n"
        "B->A {};\n}",
        "process P() {\n  state A,\n        B { x <= 1 };\n  init A;\n  trans A -> B {\n"
        "          guard x > 1;\n        },\n        B -> A {};\n}");
  check(PRETTY_MODEL, "process P() {\ntrans\nA->B { },\n    B->A { };\n}",
        "process P() {\n  trans\n    A -> B { },\n    B -> A { };\n}");
  check(PRETTY_MODEL, "int a[2][2]={\n{1,2},\n{3,4}\n};",
        "int a[2][2] = {\n  {1, 2},\n  {3, 4}\n};");
  check(PRETTY_MODEL, "void f()\n{\nif (a)\nb=1;\nelse\n{\nb=2;\n}\n}",
        "void f()\n{\n  if (a)\n    b = 1;\n  else\n  {\n    b = 2;\n  }\n}");
}

static void test_comments(void **state) {
  (void)state;
  check(PRETTY_MODEL, "// one  \nint a;// two\nint b;   // three",
        "// one\nint a; // two\nint b;   // three");
  check(PRETTY_MODEL, "void f() {\n/* a\n * b */\na=1;\n// end\n}",
        "void f() {\n  /* a\n   * b */\n  a = 1;\n  // end\n}");
  check(PRETTY_MODEL, "{\n    /* a\n     * b */\n}", "{\n  /* a\n   * b */\n}");
  check(PRETTY_MODEL, "a/*1*/b", "a /*1*/ b");
}

static void same_tokens(Mem *mem, const char *a, const char *b) {
  UTokens one = {0}, other = {0};
  const Source first = {.text = a, .size = strlen(a)}, second = {.text = b, .size = strlen(b)};
  token_scan(&one, mem, &first, 0, (uint32_t)first.size, TOKEN_MODEL);
  token_scan(&other, mem, &second, 0, (uint32_t)second.size, TOKEN_MODEL);
  assert_int_equal(one.size, other.size);
  for (uint32_t i = 0; i < one.size; i++) {
    assert_int_equal(one.items[i].length, other.items[i].length);
    assert_memory_equal(a + one.items[i].offset, b + other.items[i].offset, one.items[i].length);
  }
}

static void test_random(void **state) {
  (void)state;
  static const char *const words[] = {
      "int", "x",      "1",       "2.5",   "{",        "}",     "(",
      ")",   "[",      "]",       ";",     ",",        "-",     "--",
      "+",   "++",     "!",       "?",     ":",        "=",     "==",
      "<",   "<?",     "<=",      ">",     "&",        "&&",    "'",
      ".",   "->",     "if",      "for",   "\n",       "\n",    " ",
      "\t",  "// c\n", "/* c */", "\"s\"", "\xc3\xa4", "trans", "/* a\n   b */"};
  Random random;
  random_seed(&random, 5);
  for (int round = 0; round < 3000; round++) {
    Mem mem = {0};
    Text text = {.mem = &mem}, once = {.mem = &mem}, twice = {.mem = &mem};
    for (uint32_t i = random_below(&random, 30); i-- > 0;)
      text_add(&text, words[random_below(&random, sizeof words / sizeof *words)]);
    const PrettyKind kind = random_below(&random, 2) ? PRETTY_MODEL : PRETTY_LABEL;
    print(&once, text_chars(&text), kind);
    print(&twice, text_chars(&once), kind);
    same_tokens(&mem, text_chars(&text), text_chars(&once));
    assert_string_equal(text_chars(&once), text_chars(&twice));
    mem_release(&mem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_blanks),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_comments),
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
