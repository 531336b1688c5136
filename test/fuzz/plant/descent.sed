# descent-numbers: the numbers of nodes need not descend.
s/#include "check\/descent.h"/&\n#include "base\/testbuild.h"/
/^  if (to != from)$/i\
  if (PLANTED("descent-numbers"))\
    return true;
