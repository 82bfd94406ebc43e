/* seed_group.h - work-group sizes of the articles' kernels, for host and
 * kernels. Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_SEED_GROUP_H
#define KERNELS_SHARED_SEED_GROUP_H

#define SEED_GROUP 32		/* B in the articles */
#define SEED_LU_GROUP 64
#define SEED_WIDE 256		/* for groups of several sub-groups */

#endif
