/* The stream of random bits behind every random number: the Mersenne Twister MT19937, read as PyTorch reads it.
 *
 * Matsumoto and Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform pseudo-random number
 * generator", 1998.  The generator keeps 624 words of 32 bits.  When all are used, each is replaced by a mixture of
 * itself, of its neighbour and of the word 397 places on; what is handed out is *tempered*, a scrambled copy:
 *
 *     words     w0  w1  w2 ... w623     state, which get_state saves
 *                |   |   |      |       temper
 *     tempered  t0  t1  t2 ... t623     handed out one after the other; `next` counts them
 *
 * Note [Three readings]
 * ---------------------
 * PyTorch makes numbers in three ways, and the same seed gives its numbers only if each is used where PyTorch uses it:
 *
 *     an integer     a word, or two if the range is large, modulo the size of the range
 *     a float        the low 24 bits of a word, times 2^-24
 *     a double       the low 53 bits of two words, the first of which is the high one, times 2^-53
 */
#ifndef MINIGRAD_TWISTER_H
#define MINIGRAD_TWISTER_H

#include <stdint.h>
#include <string.h>

#include "kernels/loops/ufunc_loops.h"

#define TWISTER_WORDS 624
#define TWISTER_SHIFT 397

typedef struct {
    uint32_t words[TWISTER_WORDS], tempered[TWISTER_WORDS];
    int next;                   /* how many of them are used; 0: of a seed that is new, also all */
    int waits;                  /* whether a normal number waits */
    double waiting;
    uint64_t seed;
} mg_stream;

/* ------------------------------------------------------------------------------ bits */

#define WIDE_BITS FOR_ALL("arch=x86-64-v3", "default")

INLINE void temper(mg_stream *s)
{
    for (int i = 0; i < TWISTER_WORDS; i++) {
        uint32_t w = s->words[i];
        w ^= w >> 11;
        w ^= (w << 7) & 0x9d2c5680u;
        w ^= (w << 15) & 0xefc60000u;
        s->tempered[i] = w ^ (w >> 18);
    }
}

INLINE uint32_t mixed(uint32_t w, uint32_t neighbour, uint32_t far)
{
    return far ^ (((w & 0x80000000u) | (neighbour & 0x7fffffffu)) >> 1) ^ (-(neighbour & 1u) & 0x9908b0dfu);
}

WIDE_BITS static void refill(mg_stream *s)
{
    uint32_t *w = s->words;
    int i = 0;
    for (; i < TWISTER_WORDS - TWISTER_SHIFT; i++)
        w[i] = mixed(w[i], w[i + 1], w[i + TWISTER_SHIFT]);
    for (; i < TWISTER_WORDS - 1; i++)
        w[i] = mixed(w[i], w[i + 1], w[i + TWISTER_SHIFT - TWISTER_WORDS]);
    w[i] = mixed(w[i], w[0], w[TWISTER_SHIFT - 1]);
    temper(s);
    s->next = 0;
}

static inline void begin_stream(mg_stream *s, uint64_t seed)
{
    s->words[0] = (uint32_t)seed;
    for (uint32_t i = 1; i < TWISTER_WORDS; i++)
        s->words[i] = 1812433253u * (s->words[i - 1] ^ (s->words[i - 1] >> 30)) + i;
    s->next = s->waits = 0;
    s->seed = seed;
}

INLINE int all_used(const mg_stream *s) { return s->next == 0 || s->next == TWISTER_WORDS; }

INLINE uint32_t next_word(mg_stream *s)
{
    if (all_used(s))
        refill(s);
    return s->tempered[s->next++];
}

INLINE uint64_t next_two_words(mg_stream *s)
{
    uint64_t high = next_word(s);
    return high << 32 | next_word(s);
}

/* Exact, and made of numbers of 32 bits, which every processor converts several at a time. */
INLINE double fraction_of(uint32_t high, uint32_t low)
{
    double lower = (double)(int32_t)(low ^ 0x80000000u) + 0x1p31;
    return ((double)(int32_t)(high & ((1u << 21) - 1)) * 0x1p32 + lower) * 0x1p-53;
}
INLINE float fraction_of_word(uint32_t word) { return (float)(int32_t)(word & ((1u << 24) - 1)) * 0x1p-24f; }
INLINE double next_double(mg_stream *s)
{
    uint64_t bits = next_two_words(s);
    return fraction_of((uint32_t)(bits >> 32), (uint32_t)bits);
}
INLINE float next_float(mg_stream *s) { return fraction_of_word(next_word(s)); }

/* ------------------------------------------------------------------------ the saved state, in PyTorch's layout */

typedef struct {
    uint64_t seed;
    int32_t left, seeded;
    uint64_t next, words[TWISTER_WORDS];
    double unused[1], waiting, unused_too[1];
    int32_t waits, gap;
    float unused_float;
    uint32_t no_float_waits;
} mg_saved_stream;

static inline void save_stream(const mg_stream *s, mg_saved_stream *to)
{
    memset(to, 0, sizeof *to);
    to->seed = s->seed;
    to->left = s->next ? TWISTER_WORDS + 1 - s->next : 1;
    to->seeded = 1;
    to->next = s->next;
    for (int i = 0; i < TWISTER_WORDS; i++)
        to->words[i] = s->words[i];
    to->waits = s->waits;
    to->waiting = s->waits ? s->waiting : 0;
}

/* 0 if this is not a state: how many words are left, and which is next, must agree. */
static inline int load_stream(mg_stream *s, const mg_saved_stream *from)
{
    if (!from->seeded || from->next > TWISTER_WORDS
            || from->left != (from->next ? TWISTER_WORDS + 1 - (int32_t)from->next : 1))
        return 0;
    for (int i = 0; i < TWISTER_WORDS; i++)
        s->words[i] = (uint32_t)from->words[i];
    temper(s);
    s->next = (int)from->next;
    s->seed = from->seed;
    s->waits = from->waits != 0;
    s->waiting = from->waiting;
    return 1;
}

#endif
