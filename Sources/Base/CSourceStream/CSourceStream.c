#include "CSourceStream.h"

// A kind of memory stream, although nothing of the file is in memory: of other streams, Poppler keeps room for all bytes.
typedef struct {
    GMemoryInputStream parent;
    goffset byte_count, position;
    void *context;
    csource_stream_reader reader;
    void (*release)(void *context);
} SourceStream;

typedef struct {
    GMemoryInputStreamClass parent;
} SourceStreamClass;

static void make_seekable(GSeekableIface *interface);

G_DEFINE_TYPE_WITH_CODE(
    SourceStream, source_stream, G_TYPE_MEMORY_INPUT_STREAM, G_IMPLEMENT_INTERFACE(G_TYPE_SEEKABLE, make_seekable))

static gssize stream_read(
    GInputStream *parent, void *buffer, gsize count, GCancellable *cancellable, GError **error
) {
    SourceStream *stream = (SourceStream *)parent;
    int64_t done = stream->reader(stream->context, stream->position, buffer, (int64_t)MIN(count, G_MAXINT32));
    if (done < 0) {
        g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_FAILED, "the bytes cannot be read");
        return -1;
    }
    stream->position += done;
    return done;
}

static goffset stream_tell(GSeekable *seekable) { return ((SourceStream *)seekable)->position; }

static gboolean stream_can_seek(GSeekable *seekable) { return TRUE; }

static gboolean stream_seek(
    GSeekable *seekable, goffset offset, GSeekType type, GCancellable *cancellable, GError **error
) {
    SourceStream *stream = (SourceStream *)seekable;
    goffset base = type == G_SEEK_SET ? 0 : type == G_SEEK_CUR ? stream->position : stream->byte_count;
    goffset target;
    if (__builtin_add_overflow(base, offset, &target) || target < 0) {
        g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "a place before the file");
        return FALSE;
    }
    stream->position = target;
    return TRUE;
}

static gssize stream_skip(GInputStream *parent, gsize count, GCancellable *cancellable, GError **error) {
    SourceStream *stream = (SourceStream *)parent;
    gsize rest = stream->position < stream->byte_count ? (gsize)(stream->byte_count - stream->position) : 0;
    stream->position += (goffset)MIN(count, rest);
    return (gssize)MIN(count, rest);
}

static gboolean stream_can_truncate(GSeekable *seekable) { return FALSE; }

static void make_seekable(GSeekableIface *interface) {
    interface->tell = stream_tell;
    interface->can_seek = stream_can_seek;
    interface->seek = stream_seek;
    interface->can_truncate = stream_can_truncate;
}

static void stream_finalize(GObject *object) {
    SourceStream *stream = (SourceStream *)object;
    if (stream->release) stream->release(stream->context);
    G_OBJECT_CLASS(source_stream_parent_class)->finalize(object);
}

static void source_stream_class_init(SourceStreamClass *class) {
    G_OBJECT_CLASS(class)->finalize = stream_finalize;
    G_INPUT_STREAM_CLASS(class)->read_fn = stream_read;
    G_INPUT_STREAM_CLASS(class)->skip = stream_skip;
}

static void source_stream_init(SourceStream *stream) {}

GInputStream *csource_stream_new(
    int64_t byte_count, void *context, csource_stream_reader reader, void (*release)(void *context)
) {
    SourceStream *stream = g_object_new(source_stream_get_type(), NULL);
    stream->byte_count = byte_count;
    stream->context = context;
    stream->reader = reader;
    stream->release = release;
    return G_INPUT_STREAM(stream);
}
