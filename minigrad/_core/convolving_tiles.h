/* The two products of a convolution, for one size of vector registers.  convolving.h includes this file for each size,
 * and once for each type of numbers:
 *
 *     T                   float or double
 *     BYTES               of a vector register
 *     ROWS                the results that are kept in registers at a time, as rows of two vectors each
 *     DOT_ROWS            the same for sums along rows, as rows of four vectors
 *     NAME(x)             x with an ending that says all this
 *
 * What is multiplied by the weights are runs of numbers that begin at places of a table, and overlap:
 * Note [Runs instead of columns] in convolving.pyx.
 */

#define LANES ((long)(BYTES / sizeof(T)))
#define vec NAME(vec)

typedef T vec __attribute__((vector_size(BYTES), aligned(sizeof(T)), may_alias));

/* out[i][0 ... 2 LANES] = start[i] + sum over r of a[r][i] * b[place[r] ...] for i < m */
INLINE void NAME(tile)(const int m, const T *a, const ptrdiff_t *place, const T *b, long k, const T *start, T *out,
                       long pitch)
{
    vec sum[ROWS][2];
    UNROLLED for (int i = 0; i < m; i++)
        sum[i][0] = sum[i][1] = (vec){0} + (start == NULL ? 0 : start[i]);
    for (long r = 0; r < k; r++, a += m) {
        const vec *run = (const vec *)(b + place[r]);
        vec x = run[0], y = run[1];
        UNROLLED for (int i = 0; i < m; i++) {
            sum[i][0] += a[i] * x;
            sum[i][1] += a[i] * y;
        }
    }
    UNROLLED for (int i = 0; i < m; i++) {
        ((vec *)(out + i * pitch))[0] = sum[i][0];
        ((vec *)(out + i * pitch))[1] = sum[i][1];
    }
}

/* The same for n numbers and the rows of the blocks first ... last - 1, each with its weights `a` behind each other.
 * Where n is less than a tile, all of a tile is read and written. */
static void NAME(sums)(const T *a, const ptrdiff_t *place, const T *b, long k, long n, long rows, long first, long last,
                       const T *start, T *out, long pitch)
{
    long blocks = (rows + ROWS - 1) / ROWS, origin = first * rows / blocks;
    for (long q = 0; q < n; q += 2 * LANES) {
        if (q + 2 * LANES > n && n >= 2 * LANES)
            q = n - 2 * LANES;                          /* the last tile overlaps the one before it */
        for (long j = first; j < last; j++) {
            long row = j * rows / blocks, m = (j + 1) * rows / blocks - row;
            const T *from = start == NULL ? NULL : start + row;
            T *to = out + (row - origin) * pitch + q;
            switch (m) {
#define CASE(m) case m: NAME(tile)(m, a + row * k, place, b + q, k, from, to, pitch); break;
            CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6)
#if ROWS > 6
            CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) CASE(12)
#endif
#undef CASE
            }
        }
    }
}

/* sum[i][j] += a[i][q] * b[place[j] + q] for q < n, lane by lane, for i < m and j < 4; n is a multiple of LANES */
INLINE void NAME(dots)(const int m, const T *a, long pitch, const T *const *b, long n, vec *kept)
{
    vec sum[DOT_ROWS][4];
    const T *b0 = b[0], *b1 = b[1], *b2 = b[2], *b3 = b[3];
    UNROLLED for (int i = 0; i < m; i++)
        UNROLLED for (int j = 0; j < 4; j++)
            sum[i][j] = kept[4 * i + j];
    for (long q = 0; q < n; q += LANES) {
        vec x0 = *(const vec *)(b0 + q), x1 = *(const vec *)(b1 + q);
        vec x2 = *(const vec *)(b2 + q), x3 = *(const vec *)(b3 + q);
        UNROLLED for (int i = 0; i < m; i++) {
            vec y = *(const vec *)(a + i * pitch + q);
            sum[i][0] += y * x0;
            sum[i][1] += y * x1;
            sum[i][2] += y * x2;
            sum[i][3] += y * x3;
        }
    }
    UNROLLED for (int i = 0; i < m; i++)
        UNROLLED for (int j = 0; j < 4; j++)
            kept[4 * i + j] = sum[i][j];
}

/* out[i][j] += sum over q < n of a[i][q] * b[place[j] + q] for i < rows and j < columns <= 4.  The sums are kept lane
 * by lane in `room`, while a stretch of all runs is in the cache. */
static void NAME(correlations)(const T *a, long pitch, long rows, const T *b, const ptrdiff_t *place, long columns,
                               long n, T *out, long by_row, void *room)
{
    vec *kept = room;
    const T *run[4];
    for (long i = 0; i < 4 * rows; i++)
        kept[i] = (vec){0};
    for (long q = 0; q < n; q += STRETCH) {
        long length = n - q < STRETCH ? n - q : STRETCH;
        for (int j = 0; j < 4; j++)
            run[j] = b + place[j < columns ? j : 0] + q;
        for (long i = 0; i < rows; i += DOT_ROWS)
            switch (rows - i < DOT_ROWS ? rows - i : DOT_ROWS) {
#define CASE(m) case m: NAME(dots)(m, a + i * pitch + q, pitch, run, length, kept + 4 * i); break;
            CASE(1) CASE(2) CASE(3)
#if DOT_ROWS > 3
            CASE(4) CASE(5) CASE(6)
#endif
#undef CASE
            }
    }
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < columns; j++) {
            T sum = 0;
            for (long lane = 0; lane < LANES; lane++)
                sum += kept[4 * i + j][lane];
            out[i * by_row + j] += sum;
        }
}

#undef vec
#undef LANES
#undef T
#undef NAME
