// The models of the paper on local time.
#include "generating.h"

GEN_MAIN({"corsso", "3", 3, 6, 18, 6}, {"philosophers", "4", 8, 24, 28, 4},
         {"parallel", "3", 4, 11, 14, 4}, {"poll", "3", 4, 8, 8, 3})
