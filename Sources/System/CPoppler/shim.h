// Poppler's GLib interface, cairo that it draws with, and fontconfig that finds it fonts.
#pragma once

#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <poppler.h>
