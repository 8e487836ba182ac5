// libvips and the parts of GLib below it. Swift imports neither their casting macros nor variadic functions; these are wrapped.
#pragma once

#include <gmodule.h>
#include <vips/vips.h>
// After vips.h, whose macros it needs.
#include <vips/vector.h>

/// The Debian package of the library and its modules: 8.14 is Debian 12's; 8.16 is Debian 13's, renamed for the new `time_t`.
#if VIPS_MAJOR_VERSION == 8 && VIPS_MINOR_VERSION < 16
#define CVIPS_PACKAGE "libvips42"
#else
#define CVIPS_PACKAGE "libvips42t64"
#endif

/// GLib's basic types are macros with a cast.
static inline GType cvips_type_boolean(void) { return G_TYPE_BOOLEAN; }
static inline GType cvips_type_int(void) { return G_TYPE_INT; }
static inline GType cvips_type_double(void) { return G_TYPE_DOUBLE; }
static inline GType cvips_type_string(void) { return G_TYPE_STRING; }
static inline GType cvips_type_object(void) { return G_TYPE_OBJECT; }

/// `G_OBJECT` is a macro; every VipsOperation is a GObject.
static inline GObject *cvips_object(gpointer instance) { return G_OBJECT(instance); }

/// The signal handlers of a custom source; `g_signal_connect` is a macro that drops the function's type.
typedef gint64 (*cvips_read_handler)(VipsSourceCustom *source, void *buffer, gint64 length, gpointer context);
typedef gint64 (*cvips_seek_handler)(VipsSourceCustom *source, gint64 offset, int whence, gpointer context);

static inline void cvips_connect(
    VipsSourceCustom *source, cvips_read_handler read, cvips_seek_handler seek, gpointer context) {
    g_signal_connect(source, "read", G_CALLBACK(read), context);
    g_signal_connect(source, "seek", G_CALLBACK(seek), context);
}
