#include "CPopplerCore.h"

#include <cstring>

#include <poppler/PDFDoc.h>
#include <poppler/SplashOutputDev.h>
#include <poppler/splash/SplashBitmap.h>

int poppler_core_draw(
    const char *document, int64_t byte_count, int page_index, double x_resolution, double y_resolution, int x, int y,
    int width, int height, uint8_t *pixels, int row_length) try {
    // The document owns the stream, which does not own the bytes.
    PDFDoc opened(new MemStream(document, 0, byte_count, Object(objNull)));
    if (!opened.isOk() || page_index >= opened.getNumPages()) return -1;
    SplashColor white = {255, 255, 255};
    SplashOutputDev output(splashModeXBGR8, 4, false, white);
    output.startDoc(&opened);
    opened.displayPageSlice(
        &output, page_index + 1, x_resolution, y_resolution, 0, false, true, false, x, y, width, height, nullptr,
        nullptr, nullptr, nullptr, true);
    const SplashBitmap *bitmap = output.getBitmap();
    if (bitmap->getWidth() != width || bitmap->getHeight() != height) return -1;
    for (int row = 0; row < height; row++)
        memcpy(
            pixels + row * (size_t)row_length,
            bitmap->getDataPtr() + row * (ptrdiff_t)bitmap->getRowSize(), width * 4);
    return 0;
} catch (...) {
    return -1;
}
