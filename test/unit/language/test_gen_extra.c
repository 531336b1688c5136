// Models that are in no paper.
#include "generating.h"

GEN_MAIN({"train-gate", "3", 4, 19, 34, 3}, {"flexray", NULL, 6, 19, 42, 3})
