/* qr_block.h - sizes of the kernels of kernels/qr/block.cl, rows.cl and
 * apply.cl that the host needs too. Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_QR_BLOCK_H
#define KERNELS_SHARED_QR_BLOCK_H

/* A panel has QR_NB columns. QR_SIDE x QR_SIDE items have QR_EACH x QR_EACH
 * elements of a QR_NB x QR_NB matrix each. */
#define QR_NB 64
#define QR_SIDE 16
#define QR_EACH 4
#define QR_SQUARE (QR_NB * QR_NB)

/* qr_block_gram computes three quarters of a product in separate work-groups;
 * a work-group of qr_block_q and qr_block_vectors has QR_ROWS rows. In qr_panel
 * QR_TEAMS items have a column. */
#define QR_QUARTERS 3
#define QR_ROWS 32
#define QR_TEAMS 16

/* Columns or rows that go through local memory at a time; QR_DEEP in
 * qr_block_vectors, QR_APPLY_DEPTH in apply.cl. */
#define QR_DEPTH 16
#define QR_DEEP 32
#define QR_APPLY_DEPTH 32

/* The small matrices of a panel, `wide` numbers: the places of R^-1, U^-1, M
 * and R, and of S's diagonal. */
#define QR_AT_INVERSE 0
#define QR_AT_U QR_SQUARE
#define QR_AT_M (2 * QR_SQUARE)
#define QR_AT_R (3 * QR_SQUARE)
#define QR_AT_SIGNS (4 * QR_SQUARE)
#define QR_SMALL (4 * QR_SQUARE + QR_NB)

/* The states of a panel after qr_block_small. QR_ONCE: one pass suffices.
 * QR_TWICE: a second pass factors the Q of the first one. QR_HARD: the panel is
 * too ill-conditioned for Cholesky's factorization, and is factored column by
 * column. */
#define QR_ONCE 0
#define QR_HARD 1
#define QR_TWICE 2

/* Local memory of qr_block_small, in `wide` numbers: QR_BLOCKS blocks of
 * QR_SIDE rows, and other arrays. */
#define QR_BLOCKS (2 + 4 * QR_EACH)
#define QR_SMALL_LOCAL                                                       \
	(QR_BLOCKS * QR_SIDE * (QR_SIDE + 1) + 6 * QR_NB + QR_SIDE * QR_SIDE)

#endif
