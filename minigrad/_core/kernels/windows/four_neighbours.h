/* Sampling of images between two elements each way, many points at a time; the usual case of grid_sample.h, which
 * includes this file for each type of numbers, T.  NAME(x) is x with an ending that says which.
 *
 *     . a     b .         The four elements around a point have weights (1 - s)(1 - t), (1 - s) t, s (1 - t) and s t.
 *         o               First these and the places are found, along rows and columns by themselves; then each
 *     . c     d .         channel uses them.
 */

/* Along one dim: the element before each point and the one behind it, -1 for one that is outside; their weights; and
 * the derivative of the position.  It is not inlined: for each processor there would be six copies of it. */
WIDE static void NAME(mg_beside)(const mg_grid *g, mg_int size, const T *points, mg_int count,
                                 int32_t (*places)[MG_AT_ONCE], T (*weights)[MG_AT_ONCE], T *slopes)
{
    T stretch = g->corners ? (T)(size - 1) / 2 : (T)size / 2, at[MG_AT_ONCE], near[MG_AT_ONCE];
    int32_t end = (int32_t)size, befores[MG_AT_ONCE];
    if (g->corners)
        for (mg_int p = 0; p < count; p++)
            at[p] = (points[2 * p] + 1) / 2 * (T)(size - 1);
    else
        for (mg_int p = 0; p < count; p++)
            at[p] = ((points[2 * p] + 1) * (T)size - 1) / 2;
    for (mg_int p = 0; p < count; p++)
        slopes[p] = stretch;
    if (g->outside != MG_ZEROS)
        for (mg_int p = 0; p < count; p++)
            at[p] = NAME(mg_inside)(g, size, at[p], slopes + p);
    for (mg_int p = 0; p < count; p++)                      /* where nothing is read, and that fits into an integer */
        near[p] = at[p] > (T)-MG_TAPS ? at[p] : (T)-MG_TAPS;
    for (mg_int p = 0; p < count; p++)
        near[p] = near[p] < (T)1e9 ? near[p] : (T)1e9;
    for (mg_int p = 0; p < count; p++) {
        befores[p] = (int32_t)near[p];
        befores[p] -= near[p] < (T)befores[p];
        weights[1][p] = near[p] - (T)befores[p] + 0 * at[p];            /* nan, if the position is not finite */
        weights[0][p] = 1 - weights[1][p];
    }
    for (mg_int p = 0; p < count; p++) {
        int32_t before = befores[p], behind = before + 1;
        places[0][p] = (uint32_t)before < (uint32_t)end ? before : -1;
        places[1][p] = (uint32_t)behind < (uint32_t)end ? behind : -1;
    }
}

/* Along both dims: the places of the four elements in the plane; -1 if one of them is outside, else not negative. */
INLINE int32_t NAME(mg_around)(const mg_grid *g, const T *points, mg_int count, int32_t (*places)[MG_AT_ONCE],
                               T (*rows)[MG_AT_ONCE], T (*columns)[MG_AT_ONCE], T (*slopes)[MG_AT_ONCE])
{
    int32_t row[2][MG_AT_ONCE], column[2][MG_AT_ONCE], width = (int32_t)g->size[1], any = 0;
    NAME(mg_beside)(g, g->size[0], points + 1, count, row, rows, slopes[0]);
    NAME(mg_beside)(g, g->size[1], points, count, column, columns, slopes[1]);
    for (int k = 0; k < 4; k++)
        for (mg_int p = 0; p < count; p++) {
            int32_t i = row[k / 2][p], j = column[k % 2][p];
            any |= i | j;
            places[k][p] = (i | j) < 0 ? -1 : i * width + j;
        }
    return any;
}

INLINE void NAME(mg_products)(T (*rows)[MG_AT_ONCE], T (*columns)[MG_AT_ONCE], mg_int count, T (*weights)[MG_AT_ONCE])
{
    for (int k = 0; k < 4; k++)
        for (mg_int p = 0; p < count; p++)
            weights[k][p] = rows[k / 2][p] * columns[k % 2][p];
}

/* The derivatives of the weights along one dim; nan where the position is not finite. */
INLINE void NAME(mg_derived)(T (*weights)[MG_AT_ONCE], const T *slopes, mg_int count, T (*out)[MG_AT_ONCE])
{
    for (mg_int p = 0; p < count; p++) {
        out[0][p] = (0 * weights[1][p] - 1) * slopes[p];
        out[1][p] = (0 * weights[1][p] + 1) * slopes[p];
    }
}

/* An element, or 0 for one that is outside; if all are inside, nobody looks. */
INLINE T NAME(mg_element)(const T *plane, int32_t place, int all)
{
    T x = plane[all ? place : place & ~(place >> 31)];
    return all || place >= 0 ? x : 0;
}

INLINE void NAME(mg_sums_of_four)(const T *plane, int32_t (*places)[MG_AT_ONCE], T (*weights)[MG_AT_ONCE],
                                  mg_int count, int all, T *out)
{
    EACH for (mg_int p = 0; p < count; p++)
        out[p] = 0 + weights[0][p] * NAME(mg_element)(plane, places[0][p], all)
                 + weights[1][p] * NAME(mg_element)(plane, places[1][p], all)
                 + weights[2][p] * NAME(mg_element)(plane, places[2][p], all)
                 + weights[3][p] * NAME(mg_element)(plane, places[3][p], all);
}

WIDE static void NAME(mg_four)(const mg_grid *g, const T *planes, T *values, const T *points, mg_int channels,
                               mg_int inside, mg_int n, mg_int count)
{
    int32_t places[4][MG_AT_ONCE];
    T rows[2][MG_AT_ONCE], columns[2][MG_AT_ONCE], slopes[2][MG_AT_ONCE], weights[4][MG_AT_ONCE];
    for (mg_int start = 0; start < count; start += MG_AT_ONCE) {
        mg_int m = count - start < MG_AT_ONCE ? count - start : MG_AT_ONCE;
        int all = NAME(mg_around)(g, points + 2 * start, m, places, rows, columns, slopes) >= 0;
        NAME(mg_products)(rows, columns, m, weights);
        if (all)
            for (mg_int c = 0; c < channels; c++)
                NAME(mg_sums_of_four)(planes + c * inside, places, weights, m, 1, values + c * n + start);
        else
            for (mg_int c = 0; c < channels; c++)
                NAME(mg_sums_of_four)(planes + c * inside, places, weights, m, 0, values + c * n + start);
    }
}

WIDE static void NAME(mg_four_back)(const mg_grid *g, T *planes, const T *values, const T *points, mg_int channels,
                                    mg_int inside, mg_int n, mg_int count)
{
    int32_t places[4][MG_AT_ONCE];
    T rows[2][MG_AT_ONCE], columns[2][MG_AT_ONCE], slopes[2][MG_AT_ONCE], weights[4][MG_AT_ONCE];
    for (mg_int start = 0; start < count; start += MG_AT_ONCE) {
        mg_int m = count - start < MG_AT_ONCE ? count - start : MG_AT_ONCE;
        NAME(mg_around)(g, points + 2 * start, m, places, rows, columns, slopes);
        NAME(mg_products)(rows, columns, m, weights);
        for (mg_int c = 0; c < channels; c++)
            for (mg_int p = 0; p < m; p++)
                for (int k = 0; k < 4; k++)
                    if (places[k][p] >= 0)
                        planes[c * inside + places[k][p]] += weights[k][p] * values[c * n + start + p];
    }
}

WIDE static void NAME(mg_four_slope)(const mg_grid *g, const T *planes, const T *values, const T *points, T *out,
                                     mg_int channels, mg_int inside, mg_int n, mg_int count)
{
    int32_t places[4][MG_AT_ONCE];
    T rows[2][MG_AT_ONCE], columns[2][MG_AT_ONCE], slopes[2][MG_AT_ONCE], derived[2][MG_AT_ONCE];
    T weights[2][4][MG_AT_ONCE], total[2][MG_AT_ONCE], found[MG_AT_ONCE];
    for (mg_int start = 0; start < count; start += MG_AT_ONCE) {
        mg_int m = count - start < MG_AT_ONCE ? count - start : MG_AT_ONCE;
        NAME(mg_around)(g, points + 2 * start, m, places, rows, columns, slopes);
        NAME(mg_derived)(columns, slopes[1], m, derived);
        NAME(mg_products)(rows, derived, m, weights[0]);
        NAME(mg_derived)(rows, slopes[0], m, derived);
        NAME(mg_products)(derived, columns, m, weights[1]);
        memset(total, 0, sizeof total);
        for (mg_int c = 0; c < channels; c++)
            for (int i = 0; i < 2; i++) {
                NAME(mg_sums_of_four)(planes + c * inside, places, weights[i], m, 0, found);
                for (mg_int p = 0; p < m; p++)
                    total[i][p] += values[c * n + start + p] * found[p];
            }
        for (mg_int p = 0; p < m; p++)
            for (int i = 0; i < 2; i++)
                out[2 * (start + p) + i] = total[i][p];
    }
}

/* Some channels and some points of one example: `channels` planes of `inside` elements, and `count` points; the values
 * of the next channel are `n` further.  This writes the values ... */
static void NAME(mg_sample)(const mg_grid *g, void *planes, void *values, const void *points, void *slopes,
                            mg_int channels, mg_int inside, mg_int n, mg_int count)
{
    (void)slopes;
    if (mg_of_four(g))
        NAME(mg_four)(g, planes, values, points, channels, inside, n, count);
    else
        BY_FORM(NAME(mg_samples), planes, values, points, channels, inside, n, count)
}

/* ... this adds them up in the planes, as the transpose ... */
static void NAME(mg_sample_back)(const mg_grid *g, void *planes, void *values, const void *points, void *slopes,
                                 mg_int channels, mg_int inside, mg_int n, mg_int count)
{
    (void)slopes;
    if (mg_of_four(g))
        NAME(mg_four_back)(g, planes, values, points, channels, inside, n, count);
    else
        BY_FORM(NAME(mg_backs), planes, values, points, channels, inside, n, count)
}

/* ... and this writes, for each point and each of its coordinates, the derivatives times `values`, over all
 * channels. */
static void NAME(mg_sample_slope)(const mg_grid *g, void *planes, void *values, const void *points, void *slopes,
                                  mg_int channels, mg_int inside, mg_int n, mg_int count)
{
    if (mg_of_four(g))
        NAME(mg_four_slope)(g, planes, values, points, slopes, channels, inside, n, count);
    else
        BY_FORM(NAME(mg_slopes), planes, values, points, slopes, channels, inside, n, count)
}

#undef T
#undef NAME
