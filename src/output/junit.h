// Answers as a JUnit report, which CI systems can show. A query is a test case: it passes if it
// is satisfied, fails if it is not, and is an error if it was not decided. If the model says what
// it expects of the query, the case passes if the answer is as expected.
#pragma once

#include "output/answer.h"

// `model` names the suite. An error that came after the answers, or instead of them, is one more
// case; it may be empty. A report of more than EXCERPT_MAX bytes has the first and the last
// lines of long runs: then returns true.
bool junit_suite(Text *, const char *model, const Answers *, const char *error);
bool junit_write(Text *, const char *model, const Answers *, const char *error);
