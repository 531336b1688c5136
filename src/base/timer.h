// Wall-clock seconds from an arbitrary start, which never go backwards; and waiting.
#ifndef TARN_BASE_TIMER_H
#define TARN_BASE_TIMER_H

double timer_seconds(void);
void timer_nap(long nanoseconds); // less than a second; leaves the processor to others

#endif
