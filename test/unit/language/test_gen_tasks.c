// Task graphs.
#include "generating.h"

GEN_MAIN({"tasks", "4", 5, 18, 17, 2})
