// SPEED: a twentieth of the time of a small check. Without it (MODE=plain): libm is loaded at the
// start, for functions of real numbers that most models never use.
//
// The mathematical functions of C for this program: the first call of one loads libm and looks it
// up. The dynamic linker would load libm for each start, look up all of them, and touch ten more
// pages. A static program is linked with libm instead. If the library uses a function that is not
// in the list, libm is loaded at the start as before: add the function here.
#include <math.h>

#if defined(__GLIBC__) && !defined(TARN_PLAIN)

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Threads may look a function up at the same time: they find the same address.
static void *find(_Atomic(void *) *function, const char *name) {
  void *found = atomic_load_explicit(function, memory_order_acquire);
  if (found)
    return found;
  void *library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL); // stays: a part of glibc
  found = library ? dlsym(library, name) : NULL;
  if (!found) {
    fprintf(stderr, "tarn: libm.so.6 has no function `%s`\n", name);
    abort();
  }
  atomic_store_explicit(function, found, memory_order_release);
  return found;
}

#define LAZY(result, name, parameters, arguments)                                                \
  result name parameters {                                                                       \
    static _Atomic(void *) function;                                                             \
    void *found = find(&function, #name);                                                        \
    result(*call) parameters;                                                                    \
    memcpy(&call, &found, sizeof call);                                                          \
    return call arguments;                                                                       \
  }
#define LAZY_1(name) LAZY(double, name, (double x), (x))
#define LAZY_2(name) LAZY(double, name, (double x, double y), (x, y))

LAZY_1(acos)
LAZY_1(acosh)
LAZY_1(asin)
LAZY_1(asinh)
LAZY_1(atan)
LAZY_1(atanh)
LAZY_1(cbrt)
LAZY_1(ceil)
LAZY_1(cos)
LAZY_1(cosh)
LAZY_1(erf)
LAZY_1(erfc)
LAZY_1(exp)
LAZY_1(exp2)
LAZY_1(expm1)
LAZY_1(floor)
LAZY_1(lgamma)
LAZY_1(log)
LAZY_1(log10)
LAZY_1(log1p)
LAZY_1(log2)
LAZY_1(logb)
LAZY_1(round)
LAZY_1(sin)
LAZY_1(sinh)
LAZY_1(sqrt)
LAZY_1(tan)
LAZY_1(tanh)
LAZY_1(tgamma)
LAZY_1(trunc)
LAZY_2(atan2)
LAZY_2(fdim)
LAZY_2(fmax)
LAZY_2(fmin)
LAZY_2(fmod)
LAZY_2(hypot)
LAZY_2(nextafter)
LAZY_2(pow)
LAZY(double, fma, (double x, double y, double z), (x, y, z))
LAZY(int, ilogb, (double x), (x))

#endif
