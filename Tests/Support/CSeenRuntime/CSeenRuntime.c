// Shows ThreadSanitizer what Swift's own libraries do between threads: they are not instrumented, and it would report races
// that there are not. These functions stand in front of the libraries', and say what they do. Without ThreadSanitizer there
// are none. Where a later Swift names the libraries' otherwise, the false reports are back, and `make sanitize` fails.

#if __has_feature(thread_sanitizer)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
// The cached addresses are the same for every thread.
#define UNSEEN __attribute__((no_sanitize("thread")))
#define NEXT(name) (next ? next : (next = dlsym(RTLD_NEXT, name)))

// `Mutex` locks and unlocks by an atomic in the caller, which is seen; where threads contend, by these two.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void seen_lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void seen_unlock(SELF void *mutex) __asm__(UNLOCK);

SWIFT UNSEEN void seen_lock(uint32_t thread, SELF void *mutex) {
    static SWIFT void (*next)(uint32_t, SELF void *);
    NEXT(LOCK)(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT UNSEEN void seen_unlock(SELF void *mutex) {
    static SWIFT void (*next)(SELF void *);
    __tsan_release(mutex);
    NEXT(UNLOCK)(mutex);
}

// Whoever gives up a copy of an array has read it before the last owner finds to be the only one, and writes to it.
UNSEEN void swift_release(void *object) {
    static void (*next)(void *);
    if (object) __tsan_release(object);
    NEXT("swift_release")(object);
}

UNSEEN void swift_release_n(void *object, uint32_t count) {
    static void (*next)(void *, uint32_t);
    if (object) __tsan_release(object);
    NEXT("swift_release_n")(object, count);
}

UNSEEN bool swift_isUniquelyReferenced_nonNull_native(void *object) {
    static bool (*next)(void *);
    bool is_unique = NEXT("swift_isUniquelyReferenced_nonNull_native")(object);
    if (is_unique) __tsan_acquire(object);
    return is_unique;
}
#endif
