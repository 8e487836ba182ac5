// Functions of C over Poppler's C++ interface, for drawing by Splash and for the words of a page with their lines, which the
// GLib interface does not offer.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A document's file, which must not change: its bytes, or a function that reads them.
struct poppler_core_file {
    /// NULL where the file is read piece by piece.
    const char *bytes;
    int64_t byte_count;
    /// Passed to `read`.
    void *context;
    /// Reads bytes at an offset: returns how many were read, 0 at the end, or -1 where they cannot be read.
    int64_t (*read)(void *context, int64_t offset, void *buffer, int64_t count);
};

/// Draws a part of a page on white by Splash, Poppler's own rasteriser: four bytes a pixel in the order blue, green, red,
/// unused, rows from the top.
///
/// - Parameters:
///   - file: of a document that needs no password.
///   - page_index: from 0.
///   - x_resolution, y_resolution: pixels per inch (72 points) of the page as shown, across and down.
///   - x, y, width, height: the part, in pixels of the whole page from its left upper corner.
///   - row_length: bytes from one row of `pixels` to the next.
/// - Returns: 0, or -1 where the page could not be drawn.
int poppler_core_draw(
    const struct poppler_core_file *file, int page_index, double x_resolution, double y_resolution, int x, int y,
    int width, int height, uint8_t *pixels, int row_length);

/// A document that is open for reading texts.
typedef struct poppler_core_document poppler_core_document;

/// What follows a word of a page.
enum poppler_core_ending {
    POPPLER_CORE_NOTHING,
    POPPLER_CORE_SPACE,
    POPPLER_CORE_LINE_END,
    POPPLER_CORE_BLOCK_END,
};

/// A word in the order of its line from left to right, whatever its script.
struct poppler_core_word {
    /// Unicode scalars, or anything else that the file's tables claim to be some; `count` of them.
    const uint32_t *characters;
    int count;
    /// In points from the left upper corner of the page as shown.
    double left, top, right, bottom;
    /// Quarter turns clockwise from upright.
    int rotation;
    enum poppler_core_ending ending;
};

/// Opens a document. The caller keeps the file's bytes or context as long as the document is open.
///
/// - Parameter is_encrypted: receives whether a password is missing.
/// - Returns: NULL where the document cannot be opened or has no pages.
poppler_core_document *poppler_core_open(const struct poppler_core_file *file, int *is_encrypted);

/// Closes a document.
void poppler_core_close(poppler_core_document *document);

/// The number of pages by the page tree.
int poppler_core_page_count(const poppler_core_document *document);

/// Passes on the words of a page: columns in reading order, in them lines from the top, in lines words from the left.
///
/// - Parameters:
///   - page_index: from 0.
///   - most_characters: the characters read; others are left out.
///   - width, height: receive the size of the crop box in points, after the page's rotation.
///   - is_cut: receives whether characters were left out.
/// - Returns: 0, or -1 where there is no such page or it cannot be read.
int poppler_core_read_words(
    poppler_core_document *document, int page_index, int most_characters, double *width, double *height, int *is_cut,
    void *context, void (*word)(void *context, const struct poppler_core_word *word));

/// The last message about a defect of a document; empty before the first. Lasts until the next message.
const char *poppler_core_warning(void);

#ifdef __cplusplus
}
#endif
