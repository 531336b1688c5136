// How the matrix kernels are compiled: once per level of vector instructions, in one binary.
//
// A function marked DBM_CLONES exists three times (AVX-512, AVX2, baseline); the loader picks one
// (ifunc). Mark static functions only and wrap them: a clone with external linkage is exported
// from the library whatever its visibility. Functions that a clone calls must be DBM_INLINE;
// otherwise the call runs baseline code.
//
// There are no clones with -DTARN_NO_CLONES (sanitizers instrument the resolver, which runs too
// early), without glibc, on other processors, or with clang, which always exports the resolvers.
#pragma once

#include <stdint.h> // for __GLIBC__

#if defined(TARN_NO_CLONES) || defined(__clang__) || !defined(__x86_64__) || !defined(__GLIBC__)
#define DBM_CLONES
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DBM_CLONES
#elif __GNUC__ >= 12
#define DBM_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define DBM_CLONES __attribute__((target_clones("avx2", "default")))
#endif

// Before a loop over one block: gcc -O3 would unroll it before it looks for vectors.
#ifdef __clang__
#define DBM_WHOLE
#else
#define DBM_WHOLE _Pragma("GCC unroll 1")
#endif

#define DBM_INLINE static inline __attribute__((always_inline))
