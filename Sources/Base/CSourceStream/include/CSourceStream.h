// A GInputStream over functions of the caller, for libraries that read a file by way of GIO.
#pragma once

#include <gio/gio.h>
#include <stdint.h>

/// Reads bytes at an offset: returns how many were read, 0 at the end, or -1 where they cannot be read.
typedef int64_t (*csource_stream_reader)(void *context, int64_t offset, void *buffer, int64_t count);

/// A stream that can seek within a file of `byte_count` bytes.
///
/// - Parameters:
///   - context: passed to the functions.
///   - release: called once, when the stream is freed.
GInputStream *csource_stream_new(
    int64_t byte_count, void *context, csource_stream_reader reader, void (*release)(void *context));
