# lasso-stay: a condition that is to hold for ever is looked at in the last step only.
s/#include "check\/lasso.h"/&\n#include "base\/testbuild.h"/
/if (!l->claim->start || (run->repeats && i >= run->loop_from))/i\
      if (PLANTED("lasso-stay") && i + 1 < run->step_count)\
        continue;
