# sliced-blocks: invariants of processes that are left out count.
s/#include "check\/statetransitions.h"/&\n#include "base\/testbuild.h"/
s/if (a->transitions.left_out && a->transitions.left_out\[p\])/if (!PLANTED("sliced-blocks") \&\& a->transitions.left_out \&\& a->transitions.left_out[p])/
