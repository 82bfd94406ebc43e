/* seed_group.h - the work-group sizes of the articles' kernels, which the
 * host must know too. Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_SEED_GROUP_H
#define KERNELS_SHARED_SEED_GROUP_H

#define SEED_GROUP 32		/* B in the articles */
#define SEED_LU_GROUP 64
#define SEED_WIDE 256		/* where several sub-groups make a group */

#endif
