// Vectors of eight lanes for the loops over pixels. Each of these is one or two instructions of SSE2 or NEON. Swift's own conversions of vectors are
// functions that the optimiser may leave in the loop, called for each vector, and its shuffles lane by lane may become scalar: the
// conversion of a frame to RGB took 2.9 ms with them where a module is compiled as a whole, and takes 1.0 with these.
#ifndef CLANES_H
#define CLANES_H

#include <stdint.h>

typedef uint8_t clanes_bytes __attribute__((ext_vector_type(8)));
typedef int16_t clanes_shorts __attribute__((ext_vector_type(8)));
typedef uint16_t clanes_words __attribute__((ext_vector_type(8)));
typedef int32_t clanes_ints __attribute__((ext_vector_type(8)));
typedef uint32_t clanes_longs __attribute__((ext_vector_type(8)));
typedef int32_t clanes_int4 __attribute__((ext_vector_type(4)));

#define CLANES static inline __attribute__((always_inline))

// The products of signed words, whole. No function: 32 bytes are returned in another way with AVX than without.
#define CLANES_PRODUCT(a, b) (__builtin_convertvector((a), clanes_ints) * __builtin_convertvector((b), clanes_ints))

// A row of a matrix: the sum of three products and of a constant, shifted to the right; the lower halves of that.
CLANES clanes_shorts clanes_row(
    clanes_shorts x, clanes_shorts y, clanes_shorts z, const clanes_shorts *factors, int32_t constant, int shift) {
    clanes_ints sum =
        CLANES_PRODUCT(x, factors[0]) + CLANES_PRODUCT(y, factors[1]) + CLANES_PRODUCT(z, factors[2]) + constant;
    return __builtin_convertvector(sum >> shift, clanes_shorts);
}

// The upper halves of the products of signed words.
CLANES clanes_shorts clanes_share(clanes_shorts a, clanes_shorts b) {
    return __builtin_convertvector(CLANES_PRODUCT(a, b) >> 16, clanes_shorts);
}

// The upper halves of the products of unsigned words.
CLANES clanes_words clanes_share_unsigned(clanes_words a, clanes_words b) {
    clanes_longs product = __builtin_convertvector(a, clanes_longs) * __builtin_convertvector(b, clanes_longs);
    return __builtin_convertvector(product >> 16, clanes_words);
}

// Bytes as words.
CLANES clanes_shorts clanes_widen(clanes_bytes a) { return __builtin_convertvector(a, clanes_shorts); }

// The sums of the products of neighbours.
CLANES clanes_int4 clanes_pairs(clanes_shorts a, clanes_shorts b) {
    clanes_ints product = CLANES_PRODUCT(a, b);
    return __builtin_shufflevector(product, product, 0, 2, 4, 6) + __builtin_shufflevector(product, product, 1, 3, 5, 7);
}

// The sums of neighbours, of both vectors one after the other.
CLANES clanes_int4 clanes_sums(clanes_int4 a, clanes_int4 b) {
    return __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
}

// The first halves of two vectors, lane by lane in turn.
CLANES clanes_words clanes_low(clanes_words a, clanes_words b) {
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// The second halves.
CLANES clanes_words clanes_high(clanes_words a, clanes_words b) {
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

#undef CLANES
#undef CLANES_PRODUCT

#endif
