// Functions of C over Poppler's C++ interface, for drawing by Splash, which the GLib interface does not offer.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Draws a part of a page on white by Splash, Poppler's own rasteriser: four bytes a pixel in the order blue, green, red,
/// unused, rows from the top.
///
/// - Parameters:
///   - document: the file's bytes, which must need no password.
///   - page_index: from 0.
///   - x_resolution, y_resolution: pixels per inch (72 points) of the page as shown, across and down.
///   - x, y, width, height: the part, in pixels of the whole page from its left upper corner.
///   - row_length: bytes from one row of `pixels` to the next.
/// - Returns: 0, or -1 where the page could not be drawn.
int poppler_core_draw(
    const char *document, int64_t byte_count, int page_index, double x_resolution, double y_resolution, int x, int y,
    int width, int height, uint8_t *pixels, int row_length);

#ifdef __cplusplus
}
#endif
