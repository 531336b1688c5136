// Timer: wall-clock seconds since an arbitrary start, which never go backwards; processor time;
// and waiting.
#pragma once

double timer_seconds(void);
double timer_cpu(void);           // processor time of the process, in seconds
void timer_nap(long nanoseconds); // less than a second; leaves the processor to others
