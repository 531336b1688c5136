# growth-any: any two steps are the ends of a part that repeats.
s/#include "check\/growth.h"/&\n#include "base\/testbuild.h"/
/if (from >= to || a->time >= b->time || is_set(run, clock, from, to) ||/i\
  if (PLANTED("growth-any"))\
    return true;
