// Timer: wall-clock seconds since an arbitrary start, which never go backwards; and waiting.
#pragma once

double timer_seconds(void);
void timer_nap(long nanoseconds); // less than a second; leaves the processor to others
