/* A pool of plain threads: Note [One region at a time] in thread_pool.pyx. */

#ifndef MG_THREADS_H
#define MG_THREADS_H

#include <fenv.h>
#include <stdatomic.h>
#include "platform.h"

#ifndef MG_JOB
#define MG_JOB
typedef void (*mg_Job)(void *what, ptrdiff_t first, ptrdiff_t last);
#endif

typedef struct {
    mg_Job job;
    void *what;
    ptrdiff_t n, chunk;
    int processor;              /* of the caller */
    fenv_t floating;            /* of the caller: rounding, and whether subnormal numbers are zero */
    atomic_ptrdiff_t next;           /* the first index that nobody has taken */
    atomic_ulong inside;        /* helpers at work here; changes only under the lock */
} mg_region;

static struct {
    mg_mutex lock;
    mg_condition called;        /* a region has opened */
    mg_condition left;          /* the last helper has left a region */
    mg_region *open;            /* the region that helpers may join, or NULL */
    int wanted;                 /* how many more may join it */
    int helpers, asleep;
    int missed;                 /* regions in a row to which nobody came */
    atomic_ulong calls;         /* regions that have opened so far */
    atomic_llong alone_until;   /* the time from which on helpers are called again; Note [On a busy machine] */
} mg_pool = {MG_UNLOCKED, MG_UNMET, MG_UNMET, NULL, 0, 0, 0, 0, 0, 0};

enum {
    MG_SPIN = 20000,            /* nanoseconds for which a thread looks again and again before it sleeps */
    MG_SLICE = 1000,            /* nanoseconds after which it lets others have the processor in between */
    MG_MISSED = 3,              /* regions to which nobody comes, until callers work alone for a while */
    MG_ALONE = 10               /* how many times as long as has been lost that while is */
};

static inline void mg_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

static ptrdiff_t mg_parts(mg_region *r)
{
    return (r->n - 1) / r->chunk + 1;
}

/* Look until *value has changed; false if that takes too long. */
static int mg_spin(atomic_ulong *value, unsigned long before)
{
    long long begun = mg_now(), slice = begun, time = begun;
    while (atomic_load_explicit(value, memory_order_acquire) == before) {
        mg_pause();
        time = mg_now();
        if (time - begun > MG_SPIN)
            return 0;
        if (time - slice > MG_SLICE) {
            mg_yield();
            slice = mg_now();
        }
    }
    return 1;
}

/* Take chunks until none is left; returns how many. */
static ptrdiff_t mg_work(mg_region *r)
{
    ptrdiff_t first, last, taken = 0;
    while ((first = atomic_fetch_add_explicit(&r->next, r->chunk, memory_order_relaxed)) < r->n) {
        last = r->n - first < r->chunk ? r->n : first + r->chunk;
        r->job(r->what, first, last);
        taken++;
    }
    return taken;
}

/* What a helper does, for ever. */
MG_RUN(mg_help)
{
    mg_region *r;
    unsigned long seen;
    int in_the_way = 1;
    mg_lock(&mg_pool.lock);
    for (;;) {
        while (mg_pool.open == NULL || mg_pool.wanted == 0) {
            seen = atomic_load(&mg_pool.calls);
            if (!in_the_way) {
                mg_unlock(&mg_pool.lock);
                mg_spin(&mg_pool.calls, seen);
                mg_lock(&mg_pool.lock);
            }
            if (atomic_load(&mg_pool.calls) == seen) {
                mg_pool.asleep++;
                mg_wait(&mg_pool.called, &mg_pool.lock);
                mg_pool.asleep--;
            }
        }
        r = mg_pool.open;
        atomic_fetch_add(&r->inside, 1);
        if (--mg_pool.wanted > 0 && mg_pool.asleep > 0)         /* each one that comes calls the next two */
            mg_wake_one(&mg_pool.called);
        if (mg_pool.wanted > 1 && mg_pool.asleep > 1)
            mg_wake_one(&mg_pool.called);
        mg_unlock(&mg_pool.lock);
        in_the_way = r->processor >= 0 && r->processor == mg_processor();
        if (!in_the_way) {
            fesetenv(&r->floating);
            mg_work(r);
        }
        mg_lock(&mg_pool.lock);
        if (atomic_fetch_sub(&r->inside, 1) == 1)   /* from here on `r` may be gone */
            mg_wake_all(&mg_pool.left);
    }
    return 0;
}

/* One more helper; false if the system has none to give. */
static int mg_hire(void)
{
    int hired = mg_start(mg_help);
    mg_pool.helpers += hired;
    return hired;
}

/* Close the region, in which the caller has done so many parts of all, and wait for helpers that are still at work. */
static void mg_close(mg_region *r, long long begun, ptrdiff_t taken)
{
    unsigned long inside;
    long long done = mg_now(), waited;
    mg_lock(&mg_pool.lock);
    mg_pool.open = NULL;                            /* a helper that comes too late finds nothing, and nobody waits */
    mg_pool.missed = taken == mg_parts(r) ? mg_pool.missed + 1 : 0;
    if (mg_pool.missed == MG_MISSED) {
        mg_pool.missed = 0;
        atomic_store(&mg_pool.alone_until, done + MG_ALONE * MG_MISSED * (done - begun));
    }
    mg_unlock(&mg_pool.lock);
    inside = atomic_load(&r->inside);
    if (inside == 0)
        return;
    while (inside != 0 && mg_spin(&r->inside, inside))
        inside = atomic_load(&r->inside);
    if (inside != 0) {
        mg_lock(&mg_pool.lock);
        while (atomic_load(&r->inside) != 0)
            mg_wait(&mg_pool.left, &mg_pool.lock);
        mg_unlock(&mg_pool.lock);
    }
    waited = mg_now() - done;
    if (waited > MG_SPIN + 2 * (done - begun) / (taken + 1))
        atomic_store(&mg_pool.alone_until, done + (MG_ALONE + 1) * waited);
}

/* job(what, first, last) for parts of 0 ... n, by this thread and at most so many helpers; returns when all is done. */
static void mg_parallel(mg_Job job, void *what, ptrdiff_t n, ptrdiff_t chunk, int helpers)
{
    mg_region r = {.job = job, .what = what, .n = n, .chunk = chunk};
    long long begun;
    ptrdiff_t taken;
    int call;
    if (n <= chunk || helpers < 1 || (begun = mg_now()) < atomic_load(&mg_pool.alone_until)) {
        job(what, 0, n);
        return;
    }
    mg_lock(&mg_pool.lock);
    if (mg_pool.open != NULL) {                     /* another thread has it */
        mg_unlock(&mg_pool.lock);
        job(what, 0, n);
        return;
    }
    if (mg_parts(&r) - 1 < helpers)
        helpers = (int)(mg_parts(&r) - 1);
    while (mg_pool.helpers < helpers && mg_hire())
        ;
    r.processor = mg_processor();
    fegetenv(&r.floating);
    mg_pool.open = &r;
    mg_pool.wanted = helpers;
    atomic_fetch_add(&mg_pool.calls, 1);
    call = mg_pool.asleep > 0;
    mg_unlock(&mg_pool.lock);
    if (call)
        mg_wake_one(&mg_pool.called);
    taken = mg_work(&r);
    mg_close(&r, begun, taken);
}

/* OpenBLAS, with threads of its own: Note [BLAS in one thread] in thread_pool.pyx.  Without it, `set` is NULL. */
static struct {
    void (*set)(int);
    int (*get)(void);
    int at_first, usual;        /* how many threads it had when it was found, and when it was not held */
    int holders;                /* changes under the lock of the pool */
    int left_held;              /* by a fork: the threads of holders are not in the child */
} mg_blas;

static void mg_find_blas(const char *library)
{
    static const char *const names[][3] = {
        {"scipy_openblas_set_num_threads64_", "scipy_openblas_get_num_threads64_", "scipy_openblas_get_parallel64_"},
        {"scipy_openblas_set_num_threads", "scipy_openblas_get_num_threads", "scipy_openblas_get_parallel"},
        {"openblas_set_num_threads64_", "openblas_get_num_threads64_", "openblas_get_parallel64_"},
        {"openblas_set_num_threads", "openblas_get_num_threads", "openblas_get_parallel"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void (*set)(int) = (void (*)(int))mg_function_of(library, names[i][0]);
        int (*get)(void) = (int (*)(void))mg_function_of(library, names[i][1]);
        int (*parallel)(void) = (int (*)(void))mg_function_of(library, names[i][2]);
        if (set != NULL && get != NULL && parallel != NULL && parallel() == 1) {    /* 2 would be OpenMP */
            mg_blas.set = set;
            mg_blas.get = get;
            mg_blas.at_first = get();
            return;
        }
    }
}

/* BLAS has no more threads than these until mg_release_blas. */
static void mg_hold_blas(int threads)
{
    if (mg_blas.set == NULL)
        return;
    mg_lock(&mg_pool.lock);
    if (mg_blas.holders++ == 0 && !mg_blas.left_held)
        mg_blas.usual = mg_blas.get();
    mg_blas.left_held = 0;
    mg_blas.set(threads < mg_blas.usual ? threads : mg_blas.usual);
    mg_unlock(&mg_pool.lock);
}

static void mg_release_blas(void)
{
    if (mg_blas.set == NULL)
        return;
    mg_lock(&mg_pool.lock);
    if (--mg_blas.holders == 0)
        mg_blas.set(mg_blas.usual);
    mg_unlock(&mg_pool.lock);
}

static int mg_blas_obeys(void)
{
    return mg_blas.set != NULL;
}

/* How many it has where nobody holds it; never more than it had at first. */
static void mg_let_blas_have(int threads)
{
    if (mg_blas.set == NULL)
        return;
    mg_lock(&mg_pool.lock);
    mg_blas.usual = threads < mg_blas.at_first ? threads : mg_blas.at_first;
    if (mg_blas.holders == 0)
        mg_blas.set(mg_blas.usual);
    mg_unlock(&mg_pool.lock);
}

/* Forks: the child has the forking thread only, and no helper. */
static void mg_before_fork(void)
{
    mg_lock(&mg_pool.lock);
}

static void mg_fork_in_parent(void)
{
    mg_unlock(&mg_pool.lock);
}

static void mg_fork_in_child(void)
{
    mg_mutex lock = MG_UNLOCKED;
    mg_condition condition = MG_UNMET;
    mg_pool.lock = lock;
    mg_pool.called = mg_pool.left = condition;
    mg_pool.open = NULL;
    mg_pool.wanted = mg_pool.helpers = mg_pool.asleep = mg_pool.missed = 0;
    mg_blas.left_held |= mg_blas.holders > 0;
    mg_blas.holders = 0;
    atomic_store(&mg_pool.alone_until, 0);
}

#endif
