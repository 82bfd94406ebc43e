/* qr_normal.h - sizes that kernels/qr/normal.cl shares with the host. Included
 * by C and by OpenCL C. */
#ifndef KERNELS_SHARED_QR_NORMAL_H
#define KERNELS_SHARED_QR_NORMAL_H

/* Matrices in float64 consist of square tiles with this many rows; a work-group
 * of QR_NORMAL_ITEMS items computes a tile. */
#define QR_NORMAL_TILE 64
#define QR_NORMAL_ITEMS 256

/* A work-group of qr_normal_sum adds up this many elements. */
#define QR_NORMAL_LANES 32

/* The numbers that qr_normal_judge computes for a pass over a matrix. */
enum qr_normal_told {
	QR_NORMAL_SIZE, QR_NORMAL_OFF, QR_NORMAL_INVERSE, QR_NORMAL_SKEW,
	QR_NORMAL_SQUARE, QR_NORMAL_SHORTEST, QR_NORMAL_NUMBERS
};

#endif
