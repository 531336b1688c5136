// The models of the paper on time-darts.
#include "generating.h"

GEN_MAIN({"lcm", "3", 1, 2, 4, 4}, {"vikings", "2", 3, 16, 18, 2},
         {"train-crossing", "2", 5, 13, 15, 5})
