// Random networks.
#include "generating.h"

GEN_MAIN({"random", "seed=3", 2, 6, 10, 2}, {"random", "seed=4", 2, 6, 10, 2})
