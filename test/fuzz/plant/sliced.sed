# sliced-RULE: the rule of slices is not verified.
s/#include "check\/sliced.h"/&\n#include "base\/testbuild.h"/
s/^#define RULE(name) true/#define RULE(name) (!PLANTED("sliced-" name))/
