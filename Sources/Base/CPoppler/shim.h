// Poppler's GLib interface, cairo for its drawings, and fontconfig for its fonts.
#pragma once

#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <poppler.h>
