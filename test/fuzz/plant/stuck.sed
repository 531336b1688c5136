# stuck-never: no deadlock is found.
s/#include "check\/stuck.h"/&\n#include "base\/testbuild.h"/
s/return !s->is_free && look(/return !s->is_free \&\& !PLANTED("stuck-never") \&\& look(/
