/* The two products of a convolution, for one size of vector registers.  microkernels_loops.h includes this file for
 * each size, and once for each type of numbers:
 *
 *     T                   float or double
 *     BYTES               of a vector register
 *     ROWS                the results that are kept in registers at a time, as rows of two vectors each
 *     DOT_ROWS            the same for sums along two runs, as rows of four vectors
 *     POINTS              the same for sums without runs, as rows of two vectors
 *     NAME(x)             x with an ending that says all this
 *
 * What is multiplied by the weights are runs of numbers that begin at places of a table, and overlap:
 * Note [Runs instead of columns] in window_layout.pyx.
 */

#define LANES ((mg_n)(BYTES / sizeof(T)))
#define vec NAME(vec)

typedef T vec __attribute__((vector_size(BYTES), aligned(sizeof(T)), may_alias));

/* out[i][0 ... 2 LANES] = start[i] + sum over r of a[r][i] * b[place[r] ...] for i < m */
INLINE void NAME(tile)(const int m, const T *a, const mg_n *place, const T *b, mg_n k, const T *start, T *out,
                       mg_n pitch)
{
    vec sum[ROWS][2];
    UNROLLED for (int i = 0; i < m; i++)
        sum[i][0] = sum[i][1] = (vec){0} + (start == NULL ? 0 : start[i]);
    for (mg_n r = 0; r < k; r++, a += m) {
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
static void NAME(sums)(const T *a, const mg_n *place, const T *b, mg_n k, mg_n n, mg_n rows, mg_n first, mg_n last,
                       const T *start, T *out, mg_n pitch)
{
    mg_n blocks = (rows + ROWS - 1) / ROWS, origin = first * rows / blocks;
    for (mg_n q = 0; q < n; q += 2 * LANES) {
        if (q + 2 * LANES > n && n >= 2 * LANES)
            q = n - 2 * LANES;                          /* the last tile overlaps the one before it */
        for (mg_n j = first; j < last; j++) {
            mg_n row = j * rows / blocks, m = (j + 1) * rows / blocks - row;
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

/* sum[i][j] += a[i][q] * b[j][q], lane by lane, for i < m, j < c and q < n, a multiple of LANES */
INLINE void NAME(dots)(const int m, const int c, const T *const *a, const T *const *b, mg_n n, vec *kept)
{
    vec sum[DOT_ROWS][4], x[4];
    UNROLLED for (int i = 0; i < m; i++)
        UNROLLED for (int j = 0; j < c; j++)
            sum[i][j] = kept[c * i + j];
    for (mg_n q = 0; q < n; q += LANES) {
        UNROLLED for (int j = 0; j < c; j++)
            x[j] = *(const vec *)(b[j] + q);
        UNROLLED for (int i = 0; i < m; i++) {
            vec y = *(const vec *)(a[i] + q);
            UNROLLED for (int j = 0; j < c; j++)
                sum[i][j] += y * x[j];
        }
    }
    UNROLLED for (int i = 0; i < m; i++)
        UNROLLED for (int j = 0; j < c; j++)
            kept[c * i + j] = sum[i][j];
}

/* out[i by_row + j by_column] += sum over q < n of a[row[i] + q] * b[column[j] + q], for i < rows <= DOT_ROWS.  The
 * sums are kept lane by lane in `room`, while a stretch of all runs is in the cache. */
static void NAME(correlations)(const T *a, const mg_n *row, mg_n rows, const T *b, const mg_n *column,
                               mg_n columns, mg_n n, T *out, mg_n by_row, mg_n by_column, void *room)
{
    vec *kept = room;
    const T *left[DOT_ROWS], *right[4];
    mg_n width = columns < 4 ? 1 : 4, times = (columns + width - 1) / width;
    for (mg_n i = 0; i < times * width * rows; i++)
        kept[i] = (vec){0};
    for (mg_n q = 0; q < n; q += STRETCH) {
        mg_n length = n - q < STRETCH ? n - q : STRETCH;
        for (mg_n i = 0; i < rows; i++)
            left[i] = a + row[i] + q;
        for (mg_n t = 0; t < times; t++) {
            vec *here = kept + t * width * rows;
            for (mg_n j = 0; j < width; j++)
                right[j] = b + column[t * width + j < columns ? t * width + j : t * width] + q;
            switch (8 * (width == 4) + rows) {
#define CASE(m) case m: NAME(dots)(m, 1, left, right, length, here); break;                                            \
            case 8 + m: NAME(dots)(m, 4, left, right, length, here); break;
            CASE(1) CASE(2) CASE(3)
#if DOT_ROWS > 3
            CASE(4) CASE(5) CASE(6)
#endif
#undef CASE
            }
        }
    }
    for (mg_n i = 0; i < rows; i++)
        for (mg_n j = 0; j < columns; j++) {
            T sum[LANES];
            memcpy(sum, kept + (j / width * rows + i) * width + j % width, BYTES);
            UNROLLED for (int half = LANES / 2; half > 0; half /= 2)
                UNROLLED for (int k = 0; k < half; k++)
                    sum[k] += sum[k + half];
            out[i * by_row + j * by_column] += sum[0];
        }
}

/* tile[i][...] = sum over r of x[point[i] + step[r]] * y[r][...] for i < m, with v vectors in each row of y; the rows
 * of y are `pitch` apart */
INLINE void NAME(outer)(const int m, const int v, const T *x, const mg_n *point, const mg_n *step, const T *y,
                        mg_n pitch, mg_n k, T *tile)
{
    vec sum[POINTS][2];
    const T *at[POINTS];
    UNROLLED for (int i = 0; i < m; i++) {
        at[i] = x + point[i];
        UNROLLED for (int j = 0; j < v; j++)
            sum[i][j] = (vec){0};
    }
    for (mg_n r = 0; r < k; r++, y += pitch) {
        ptrdiff_t s = step[r];
        UNROLLED for (int i = 0; i < m; i++) {
            T factor = at[i][s];
            UNROLLED for (int j = 0; j < v; j++)
                sum[i][j] += factor * ((const vec *)y)[j];
        }
    }
    UNROLLED for (int i = 0; i < m; i++)
        UNROLLED for (int j = 0; j < v; j++)
            ((vec *)tile)[2 * i + j] = sum[i][j];
}

/* out[p by_point + o by_output] = start[o] + sum over r of x[point[p] + step[r]] * y[r][o], for o < outputs, of which
 * there are no more than two vectors; with `add` it is added to what is there.  The rows of y are `pitch` apart, or,
 * where that is 0, one behind another as full vectors; what is read behind the outputs of a row is left out. */
static void NAME(products)(const T *x, const mg_n *point, mg_n points, const mg_n *step, const T *y,
                           mg_n pitch, mg_n k, mg_n outputs, const T *start, int add, T *out, mg_n by_point,
                           mg_n by_output)
{
    T tile[POINTS * 2 * LANES] __attribute__((aligned(BYTES)));
    if (pitch == 0)
        pitch = outputs > LANES ? 2 * LANES : LANES;
    for (mg_n p = 0; p < points; p += POINTS, out += POINTS * by_point) {
        mg_n m = points - p < POINTS ? points - p : POINTS;
        switch (2 * m + (outputs > LANES)) {
#define CASE(m) case 2 * m: NAME(outer)(m, 1, x, point + p, step, y, pitch, k, tile); break;                           \
        case 2 * m + 1: NAME(outer)(m, 2, x, point + p, step, y, pitch, k, tile); break;
        CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6)
#if POINTS > 6
        CASE(7) CASE(8)
#endif
#undef CASE
        }
        for (mg_n o = 0; o < outputs; o++) {
            T first = start == NULL ? 0 : start[o];
            T *to = out + o * by_output;
            if (add)
                for (mg_n i = 0; i < m; i++)
                    to[i * by_point] += tile[2 * LANES * i + o];
            else
                for (mg_n i = 0; i < m; i++)
                    to[i * by_point] = first + tile[2 * LANES * i + o];
        }
    }
}

#undef vec
#undef LANES
#undef T
#undef NAME
