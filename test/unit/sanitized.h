// Whether this build has sanitizers, under which programs are several times slower.
//
// Random tests take a fifth of their cases there: a fault of memory shows in few of them, and the
// values of all are compared by the debug build.

#pragma once

// clang says it in another way than gcc.
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                             \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

#define RANDOM_CASES(count) (IS_SANITIZED ? (count) / 5 : (count))
