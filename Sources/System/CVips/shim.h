// libvips and the parts of GLib under it. Only what Swift cannot say itself is here: macros that cast, and a variadic call.
#pragma once

#include <gmodule.h>
#include <vips/vips.h>
// After vips.h, whose macros it needs.
#include <vips/vector.h>

/// Debian's package of the library and its modules: 8.14 is Debian 12's, 8.16 Debian 13's, after the change of `time_t`.
#if VIPS_MAJOR_VERSION == 8 && VIPS_MINOR_VERSION < 16
#define CVIPS_PACKAGE "libvips42"
#else
#define CVIPS_PACKAGE "libvips42t64"
#endif

/// GLib's names for the basic types are macros with a cast, which Swift does not import.
static inline GType cvips_type_boolean(void) { return G_TYPE_BOOLEAN; }
static inline GType cvips_type_int(void) { return G_TYPE_INT; }
static inline GType cvips_type_double(void) { return G_TYPE_DOUBLE; }
static inline GType cvips_type_string(void) { return G_TYPE_STRING; }
static inline GType cvips_type_object(void) { return G_TYPE_OBJECT; }

/// The cast macros of GObject do not import; every VipsOperation is a GObject.
static inline GObject *cvips_object(gpointer instance) { return G_OBJECT(instance); }

/// The signal handlers of a custom source; `g_signal_connect` is a macro that casts the function away.
typedef gint64 (*cvips_read_handler)(VipsSourceCustom *source, void *buffer, gint64 length, gpointer context);
typedef gint64 (*cvips_seek_handler)(VipsSourceCustom *source, gint64 offset, int whence, gpointer context);

static inline void cvips_connect(
    VipsSourceCustom *source, cvips_read_handler read, cvips_seek_handler seek, gpointer context) {
    g_signal_connect(source, "read", G_CALLBACK(read), context);
    g_signal_connect(source, "seek", G_CALLBACK(seek), context);
}
