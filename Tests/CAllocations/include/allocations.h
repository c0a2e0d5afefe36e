// Counts what the calling thread asks of the heap, by standing in for glibc's malloc in the test program.
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stdint.h>

/// How often this thread has called malloc, calloc, realloc or an aligned sibling; -1 where a sanitizer owns the heap.
int64_t allocations_of_this_thread(void);

#endif
