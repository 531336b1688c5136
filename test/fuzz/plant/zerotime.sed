# As leftout.sed.
s/#include "check\/zerotime.h"/&\n#include "base\/testbuild.h"/
s/^#define RULE(name) true/#define RULE(name) (!PLANTED("por-" name))/
