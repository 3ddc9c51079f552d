/* What the core asks of the operating system, for POSIX and for Windows: locks, threads, clocks, stacks, forks, and a
   function of the C library.

   No other file includes a header of a system.  The rest is C11 with the vectors, attributes and builtins that GCC and
   Clang have everywhere. */

#ifndef MINIGRAD_PLATFORM_H
#define MINIGRAD_PLATFORM_H

#include <math.h>
#include <stddef.h>

/* ------------------------------------------------------------------------------ Windows */

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
#include <process.h>
#undef near                     /* words that the system's headers take from C, and that we use */
#undef far
#undef small

typedef SRWLOCK mg_mutex;
#define MG_UNLOCKED SRWLOCK_INIT
static inline void mg_lock(mg_mutex *m) { AcquireSRWLockExclusive(m); }
static inline void mg_unlock(mg_mutex *m) { ReleaseSRWLockExclusive(m); }

typedef CONDITION_VARIABLE mg_condition;
#define MG_UNMET CONDITION_VARIABLE_INIT
static inline void mg_wait(mg_condition *c, mg_mutex *m) { SleepConditionVariableSRW(c, m, INFINITE, 0); }
static inline void mg_wake_one(mg_condition *c) { WakeConditionVariable(c); }
static inline void mg_wake_all(mg_condition *c) { WakeAllConditionVariable(c); }

/* A thread that is never waited for; false if the system has none to give. */
static inline int mg_start(unsigned (__stdcall *run)(void *))
{
    HANDLE thread = (HANDLE)_beginthreadex(NULL, 0, run, NULL, 0, NULL);
    if (thread != NULL)
        CloseHandle(thread);
    return thread != NULL;
}
#define MG_RUN(name) static unsigned __stdcall name(__attribute__((unused)) void *nothing)

static inline int mg_processor(void) { return (int)GetCurrentProcessorNumber(); }
static inline void mg_yield(void) { SwitchToThread(); }
static inline void mg_sleep(int microseconds) { Sleep((DWORD)microseconds / 1000); }

/* nanoseconds, of the clock of time.perf_counter_ns */
static inline long long mg_now(void)
{
    LARGE_INTEGER ticks, second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&second);
    return ticks.QuadPart / second.QuadPart * 1000000000LL
           + ticks.QuadPart % second.QuadPart * 1000000000LL / second.QuadPart;
}

/* The lowest address of this thread's stack; NULL where the system does not tell. */
static inline char *mg_stack_floor(void)
{
    ULONG_PTR lowest, highest;
    GetCurrentThreadStackLimits(&lowest, &highest);
    return (char *)lowest;
}

static inline double mg_lgamma(double x) { return lgamma(x); }

/* Windows looks for a function in one library only. */
static inline void *mg_function_of(const char *library, const char *name) { return NULL; }

/* There are no forks. */
static inline void mg_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void)) {}

/* A pointer of each thread, which `destroy` is given when the thread ends. */
#define MG_AT_THREADS_END(name, destroy)                                                                               \
    static DWORD name##_key;                                                                                           \
    static INIT_ONCE name##_once = INIT_ONCE_STATIC_INIT;                                                              \
    static void __stdcall name##_end(void *p) { destroy(p); }                                                          \
    static BOOL CALLBACK name##_begin(INIT_ONCE *once, void *argument, void **context)                                 \
    {                                                                                                                  \
        return (name##_key = FlsAlloc(name##_end)) != FLS_OUT_OF_INDEXES;                                              \
    }                                                                                                                  \
    static void name(void *p)                                                                                          \
    {                                                                                                                  \
        if (InitOnceExecuteOnce(&name##_once, name##_begin, NULL, NULL))                                               \
            FlsSetValue(name##_key, p);                                                                                \
    }

/* ------------------------------------------------------------------------------ POSIX */

#else

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

typedef pthread_mutex_t mg_mutex;
#define MG_UNLOCKED PTHREAD_MUTEX_INITIALIZER
static inline void mg_lock(mg_mutex *m) { pthread_mutex_lock(m); }
static inline void mg_unlock(mg_mutex *m) { pthread_mutex_unlock(m); }

typedef pthread_cond_t mg_condition;
#define MG_UNMET PTHREAD_COND_INITIALIZER
static inline void mg_wait(mg_condition *c, mg_mutex *m) { pthread_cond_wait(c, m); }
static inline void mg_wake_one(mg_condition *c) { pthread_cond_signal(c); }
static inline void mg_wake_all(mg_condition *c) { pthread_cond_broadcast(c); }

/* A thread that is never waited for and that no signal of the program reaches; false if the system has none to give. */
static inline int mg_start(void *(*run)(void *))
{
    sigset_t all, before;
    pthread_t thread;
    int started;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(&thread, NULL, run, NULL) == 0;
    if (started)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}
#define MG_RUN(name) static void *name(__attribute__((unused)) void *nothing)

/* the processor on which this thread runs, or -1 where the system does not tell */
static inline int mg_processor(void)
{
#ifdef __linux__
    return sched_getcpu();
#else
    return -1;
#endif
}

static inline void mg_yield(void) { sched_yield(); }
static inline void mg_sleep(int microseconds) { usleep((useconds_t)microseconds); }

/* nanoseconds, of the clock of time.perf_counter_ns */
static inline long long mg_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* The lowest address of this thread's stack; NULL where the system does not tell. */
static inline char *mg_stack_floor(void)
{
    char *floor = NULL;
#if defined(__linux__)
    pthread_attr_t attributes;
    void *lowest;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &lowest, &size) == 0)
            floor = (char *)lowest;
        pthread_attr_destroy(&attributes);
    }
#elif defined(__APPLE__)
    floor = (char *)pthread_get_stackaddr_np(pthread_self()) - pthread_get_stacksize_np(pthread_self());
#endif
    return floor;
}

#ifdef __APPLE__                /* math.h keeps it back, unless a macro is there before Python.h */
extern double lgamma_r(double, int *);
#endif
static inline double mg_lgamma(double x)        /* lgamma() itself writes the sign to a global */
{
    int sign;
    return lgamma_r(x, &sign);
}

/* A function of a library that is loaded already, or of those that it needs; NULL where there is none. */
static inline void *mg_function_of(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    return handle == NULL ? NULL : dlsym(handle, name);
}

static inline void mg_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
    pthread_atfork(before, in_parent, in_child);
}

/* A pointer of each thread, which `destroy` is given when the thread ends. */
#define MG_AT_THREADS_END(name, destroy)                                                                               \
    static pthread_key_t name##_key;                                                                                   \
    static pthread_once_t name##_once = PTHREAD_ONCE_INIT;                                                             \
    static void name##_begin(void) { pthread_key_create(&name##_key, destroy); }                                       \
    static void name(void *p)                                                                                          \
    {                                                                                                                  \
        pthread_once(&name##_once, name##_begin);                                                                      \
        pthread_setspecific(name##_key, p);                                                                            \
    }

#endif

#endif
