# growth-any: any two steps are the ends of a part that repeats.
s/#include "check\/growth.h"/&\n#include "base\/testbuild.h"/
/if (from >= to || a->time >= b->time || !meta_is_same(net, a->state, b->state))/i\
  if (PLANTED("growth-any"))\
    return true;
