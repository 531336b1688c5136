// Wall-clock seconds from an arbitrary start; never goes backwards.
#ifndef TARN_BASE_TIMER_H
#define TARN_BASE_TIMER_H

double timer_seconds(void);

#endif
