// The model families that are templates: the search-order paper's, the local-time paper's, the
// non-convex paper's, the time-darts paper's, and our own.
#include "generating.h"

GEN_MAIN({"fischer", "2", 2, 8, 10, 2}, {"fischer", "5", 5, 20, 25, 5},
         {"lynch", "3", 3, 27, 33, 3}, {"csma", "4", 5, 15, 41, 5}, {"fddi", "3", 4, 30, 36, 10},
         {"critical-region", "3", 7, 29, 33, 3}, {"blowup", "2", 1, 6, 7, 3},
         {"corsso", "3", 3, 6, 18, 6}, {"philosophers", "4", 8, 24, 28, 4},
         {"parallel", "3", 4, 11, 14, 4}, {"poll", "3", 4, 8, 8, 3}, {"a1", NULL, 2, 4, 3, 2},
         {"a2", NULL, 1, 4, 4, 2}, {"a3", NULL, 1, 5, 6, 2}, {"fig1", NULL, 1, 4, 5, 2},
         {"lcm", "3", 1, 2, 4, 4}, {"vikings", "2", 3, 16, 18, 2},
         {"train-crossing", "2", 5, 13, 15, 5}, {"train-gate", "3", 4, 19, 34, 3},
         {"flexray", NULL, 6, 19, 42, 3})
