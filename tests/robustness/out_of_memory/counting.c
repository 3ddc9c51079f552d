/* Allocations of the C library, counted and refused: to be loaded before it (LD_PRELOAD).

   tests/robustness/out_of_memory/refusal.py compiles it, and reads and writes the notes. They are in a file if the
   environment names one, so that after a crash another process can read who was refused, and who crashed. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

enum { DEPTH = 64 };

typedef struct {
    int64_t on;                         /* are allocations counted? */
    int64_t first, beyond;              /* the numbers of those that are refused, from 1 on */
    int64_t seen, refused;
    int64_t alive;                      /* pieces of memory that have not been freed, whether `on` or not */
    int64_t depth, depth_of_crash;
    uint64_t callers[DEPTH];            /* of the first that was refused */
    uint64_t crashed[DEPTH];            /* the functions that ran when the process crashed, the signal's among them */
} Notes;

static Notes without_file;
Notes *allocation_notes = &without_file;

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

typedef struct {
    uint64_t *to;
    int64_t *depth;
} Trace;

static _Unwind_Reason_Code note_caller(struct _Unwind_Context *context, void *trace)
{
    Trace *t = trace;
    if (*t->depth == DEPTH)
        return _URC_END_OF_STACK;
    t->to[(*t->depth)++] = _Unwind_GetIP(context);
    return _URC_NO_REASON;
}

/* Who called through a pointer to nothing is at the top of the stack: from there, nothing can be unwound. */
static void note_call_of_nothing(const ucontext_t *context)
{
#ifdef __x86_64__
    if (context->uc_mcontext.gregs[REG_RIP] == 0)
        allocation_notes->crashed[allocation_notes->depth_of_crash++] =
            *(uint64_t *)context->uc_mcontext.gregs[REG_RSP];
#else
    (void)context;
#endif
}

static struct sigaction before[NSIG];

static void note_crash(int number, siginfo_t *info, void *context)
{
    Trace trace = {allocation_notes->crashed, &allocation_notes->depth_of_crash};
    (void)info;
    sigaction(number, &before[number], NULL);       /* it comes again, and goes to whom it went before */
    allocation_notes->on = allocation_notes->depth_of_crash = 0;
    note_call_of_nothing(context);
    _Unwind_Backtrace(note_caller, &trace);
}

/* To be called when other handlers have been set. */
void note_crashes(void)
{
    struct sigaction action = {0};
    const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE};
    action.sa_sigaction = note_crash;
    action.sa_flags = SA_SIGINFO;
    for (unsigned i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, &before[signals[i]]);
}

__attribute__((constructor)) static void open_notes(void)
{
    const char *name = getenv("MINIGRAD_ALLOCATION_NOTES");
    int file = name == NULL ? -1 : open(name, O_RDWR | O_CREAT, 0600);
    void *shared;
    if (file < 0)
        return;
    if (ftruncate(file, sizeof(Notes)) == 0) {
        shared = mmap(NULL, sizeof(Notes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (shared != MAP_FAILED)
            allocation_notes = shared;
    }
    close(file);
}

/* Is this one refused? */
static int refused(void)
{
    Trace trace = {allocation_notes->callers, &allocation_notes->depth};
    int64_t number;
    if (!allocation_notes->on)
        return 0;
    number = __atomic_add_fetch(&allocation_notes->seen, 1, __ATOMIC_RELAXED);
    if (number < allocation_notes->first || number >= allocation_notes->beyond)
        return 0;
    if (__atomic_fetch_add(&allocation_notes->refused, 1, __ATOMIC_RELAXED) == 0)
        _Unwind_Backtrace(note_caller, &trace);
    errno = ENOMEM;
    return 1;
}

static void *counted(void *memory)
{
    if (memory != NULL)
        __atomic_add_fetch(&allocation_notes->alive, 1, __ATOMIC_RELAXED);
    return memory;
}

void *malloc(size_t size)
{
    return refused() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
    return refused() ? NULL : counted(__libc_calloc(n, size));
}

void *realloc(void *memory, size_t size)
{
    void *moved;
    if (refused())
        return NULL;
    moved = __libc_realloc(memory, size);
    if (memory != NULL && size == 0 && moved == NULL)
        __atomic_sub_fetch(&allocation_notes->alive, 1, __ATOMIC_RELAXED);
    return memory == NULL ? counted(moved) : moved;
}

void *memalign(size_t alignment, size_t size)
{
    return refused() ? NULL : counted(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *found = memalign(alignment, size);
    if (found != NULL)
        *memory = found;
    return found == NULL ? ENOMEM : 0;
}

void free(void *memory)
{
    if (memory != NULL)
        __atomic_sub_fetch(&allocation_notes->alive, 1, __ATOMIC_RELAXED);
    __libc_free(memory);
}
