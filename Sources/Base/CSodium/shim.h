#include <sodium.h>
#include <sys/resource.h>

// The type of the first parameter differs with the headers' version. On Linux, 0 is the calling thread.
static inline void csodium_lower_priority(void) { setpriority(PRIO_PROCESS, 0, 10); }
