// The models of the paper on non-convex abstractions.
#include "generating.h"

GEN_MAIN({"a1", NULL, 2, 4, 3, 2}, {"a2", NULL, 1, 4, 4, 2}, {"a3", NULL, 1, 5, 6, 2},
         {"fig1", NULL, 1, 4, 5, 2})
