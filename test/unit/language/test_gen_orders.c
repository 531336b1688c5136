// The models of the paper on search orders.
#include "generating.h"

GEN_MAIN({"fischer", "2", 2, 8, 10, 2}, {"fischer", "5", 5, 20, 25, 5},
         {"lynch", "3", 3, 27, 33, 3}, {"csma", "4", 5, 15, 41, 5}, {"fddi", "3", 4, 30, 36, 10},
         {"critical-region", "3", 7, 29, 33, 3}, {"blowup", "2", 1, 6, 7, 3})
