/* matmul_tensor.h - tile sizes of matmul's tensor-core kernels that the host
 * needs too: the rows and columns of C of a work-group, and its items. Included
 * by C and by OpenCL C. */
#ifndef KERNELS_SHARED_MATMUL_TENSOR_H
#define KERNELS_SHARED_MATMUL_TENSOR_H

#define TENSOR_ROWS 128
#define TENSOR_3XTF32_COLS 128
#define TENSOR_TF32_COLS 256
#define TENSOR_TF32_ITEMS 384
#define TENSOR_PACK_LINES 128
#define TENSOR_PACK_ITEMS 256
#define TENSOR_DIRECT_ROWS 64
#define TENSOR_DIRECT_COLS 64
#define TENSOR_DIRECT_ITEMS 128
#define TENSOR_SUM_GROUP 256

/* Pairs of float16, and halves: columns of a tile, twice of which are whole
 * tiles of 3xTF32; work-items; the depth of the one or two slabs of packed
 * operands that are multiplied together; lines and items of a work-group that
 * packs; columns of a block of C that is computed again. */
#define PAIRS_COLS 192
#define PAIRS_ITEMS 384
#define PAIRS_DEPTH 64
#define PAIRS_PACK_LINES 64
#define PAIRS_PACK_ITEMS 256
#define PAIRS_AGAIN_COLS 64

/* Residues of float64: columns of a tile, whose rows are TENSOR_ROWS;
 * work-items that multiply, and those of a work-group; the depth of a slab of
 * packed operands; the lines of a work-group that packs, their depth, and its
 * items; the fewest moduli without a certificate, the fewest with one, and the
 * most; the parts of a tile whose residues are joined by a work-group each. */
#define RESIDUES_COLS 256
#define RESIDUES_MULTIPLIERS 256
#define RESIDUES_ITEMS 384
#define RESIDUES_SLAB 128
#define RESIDUES_LINES 64
#define RESIDUES_DEPTH 64
#define RESIDUES_PACK_ITEMS 256
#define RESIDUES_LEAST 12
#define RESIDUES_CERTIFIED 14
#define RESIDUES_MOST 18
#define RESIDUES_PARTS 16

/* The bytes of what is known of a part of a line; twice as many of a line. The
 * certificate's bound is multiplied by 2^-53 and, since magnitudes have 7 bits
 * after the binary point, by 2^-14. */
#define RESIDUES_LINE_BYTES 16
#define RESIDUES_BOUND_UNIT 0x1p-67f

/* The host's table for these kernels, 32-bit words: for each modulus the
 * modulus, 2^0, 2^8 to 2^88 modulo it as bytes, and -2^72 modulo it; then for
 * each number s of moduli, from RESIDUES_LEAST on, with their product P: a
 * little less than sqrt(P / 2), in float32, and an unused word; P / 2^96 as the
 * sum of two float64; and the weight of each modulus, a fraction of three
 * words, the lowest first. */
#define RESIDUES_OF_MODULUS 5
#define RESIDUES_OF_NUMBER (6 + 3 * RESIDUES_MOST)
#define RESIDUES_NUMBERS (RESIDUES_MOST - RESIDUES_LEAST + 1)
#define RESIDUES_TABLE (RESIDUES_MOST * RESIDUES_OF_MODULUS)
#define RESIDUES_WORDS (RESIDUES_TABLE + RESIDUES_NUMBERS * RESIDUES_OF_NUMBER)

/* Adding the partial sums of shared tiles: work-items of a group, and elements
 * of each item. */
#define TENSOR_REST_ITEMS 256
#define TENSOR_REST_EACH 4

/* A work-group sums a multiple of this many products along k; packed float32
 * operands come in slabs of this depth. */
#define TENSOR_DEPTH 32
#define TENSOR_SLAB 16

#endif
