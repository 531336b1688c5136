#include "semantics/stochastic/curve.h"

#include <math.h>

enum { STAGES = 7, ROOM = STAGES + 3 }; // stages, the present values, a trial, its result
// Polynomials have no error: without a limit their steps would grow until values overflow.
#define MAX_STEP 10.

void curve_init(Curve *curve, Mem *mem, uint32_t count, double tolerance,
                CurveDerivative *derivative, void *context) {
  *curve = (Curve){.mem = mem,
                   .count = count,
                   .tolerance = tolerance,
                   .derivative = derivative,
                   .context = context,
                   .is_empty = true};
  curve->room = mem_alloc(mem, sizeof(double) * count * ROOM);
}

static double *stage(Curve *curve, uint32_t number) {
  return curve->room + (size_t)number * curve->count;
}
static double *present(Curve *curve) { return stage(curve, STAGES); }

void curve_start(Curve *curve, const double *values) {
  vec_clear(&curve->pieces);
  vec_clear(&curve->coefficients);
  memcpy(present(curve), values, sizeof *values * curve->count);
  curve->end = 0;
  curve->is_empty = false;
  if (!(curve->step > 0))
    curve->step = 0.01;
}

static const double weights[STAGES][STAGES - 1] = {
    {0},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
static const double errors[STAGES] = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                      -17253. / 339200, 22. / 525, -1. / 40};
static const double middles[STAGES] = {-12715105075. / 11282082432.,  0,
                                       87487479700. / 32700410799.,   -10690763975. / 1880347072.,
                                       701980252875. / 199316789632., -1453857185. / 822651844.,
                                       69997945. / 29380423.};

// One trial: the stages, the result in the room behind the trial's; its error relative to the
// tolerance, or a negative number if a derivative fails.
static double attempt(Curve *curve, double step) {
  const uint32_t n = curve->count;
  double *values = present(curve), *trial = stage(curve, STAGES + 1);
  if (!curve->derivative(curve->context, values, stage(curve, 0)))
    return -1;
  for (uint32_t s = 1; s < STAGES; s++) {
    for (uint32_t k = 0; k < n; k++) {
      double sum = 0;
      for (uint32_t j = 0; j < s; j++)
        sum += weights[s][j] * stage(curve, j)[k];
      trial[k] = values[k] + step * sum;
    }
    if (!curve->derivative(curve->context, trial, stage(curve, s)))
      return -1;
  }
  double worst = 0; // the last trial is the result
  for (uint32_t k = 0; k < n; k++) {
    double error = 0;
    for (uint32_t j = 0; j < STAGES; j++)
      error += errors[j] * stage(curve, j)[k];
    const double scale = curve->tolerance * (1 + fmax(fabs(values[k]), fabs(trial[k])));
    error = fabs(step * error) / scale;
    worst = error > worst || isnan(error) ? error : worst;
  }
  return isnan(worst) ? INFINITY : worst;
}

static void keep(Curve *curve, double step) {
  const uint32_t n = curve->count;
  const double *values = present(curve), *result = stage(curve, STAGES + 1);
  const CurvePiece piece = {curve->end, step, curve->coefficients.size};
  vec_push(curve->mem, &curve->pieces, piece);
  for (uint32_t k = 0; k < n; k++) {
    const double difference = result[k] - values[k];
    const double bend = step * stage(curve, 0)[k] - difference;
    double middle = 0;
    for (uint32_t j = 0; j < STAGES; j++)
      middle += middles[j] * stage(curve, j)[k];
    const double parts[5] = {values[k], difference, bend,
                             difference - step * stage(curve, 6)[k] - bend, step * middle};
    for (int j = 0; j < 5; j++)
      vec_push(curve->mem, &curve->coefficients, parts[j]);
  }
  memcpy(present(curve), result, sizeof *result * n);
  curve->end += step;
}

bool curve_reach(Curve *curve, double delay) {
  while (curve->end < delay) {
    const double step = curve->step;
    if (!(step > 1e-13 * fmax(1, curve->end)))
      return false;
    const double error = attempt(curve, step);
    if (error < 0)
      return false;
    if (error <= 1)
      keep(curve, step);
    curve->step = step * fmin(5, fmax(0.2, 0.9 * pow(fmax(error, 1e-10), -0.2)));
    curve->step = fmin(curve->step, MAX_STEP);
  }
  return true;
}

static const CurvePiece *piece_at(const Curve *curve, double delay) {
  uint32_t low = 0, high = curve->pieces.size;
  while (low + 1 < high) {
    const uint32_t middle = (low + high) / 2;
    *(curve->pieces.items[middle].start <= delay ? &low : &high) = middle;
  }
  return &curve->pieces.items[low];
}

void curve_at(const Curve *curve, double delay, double *values) {
  if (!curve->pieces.size) {
    memcpy(values, curve->room + (size_t)STAGES * curve->count, sizeof *values * curve->count);
    return;
  }
  const CurvePiece *piece = piece_at(curve, delay);
  const double t = (delay - piece->start) / piece->length, u = 1 - t;
  const double *c = curve->coefficients.items + piece->first;
  for (uint32_t k = 0; k < curve->count; k++, c += 5)
    values[k] = c[0] + t * (c[1] + u * (c[2] + t * (c[3] + u * c[4])));
}

double curve_next(const Curve *curve, double delay) {
  enum { PARTS = 4 };
  if (!curve->pieces.size)
    return delay;
  const CurvePiece *piece = piece_at(curve, delay);
  const double part = floor((delay - piece->start) / piece->length * PARTS + 1e-9) + 1;
  return piece->start + piece->length * (part < PARTS ? part / PARTS : 1);
}
