#include "CSplash.h"

#include <cstring>
#include <memory>

#include <poppler/cpp/poppler-document.h>
#include <poppler/cpp/poppler-page-renderer.h>
#include <poppler/cpp/poppler-page.h>

using poppler::page_renderer;

int csplash_draw(
    const char *document, int byte_count, int page_index, double x_resolution, double y_resolution, int x, int y,
    int width, int height, uint8_t *pixels, int row_length) try {
    poppler::set_debug_error_function([](const std::string &, void *) {}, nullptr);
    std::unique_ptr<poppler::document> opened(poppler::document::load_from_raw_data(document, byte_count));
    if (!opened || opened->is_locked()) return -1;
    std::unique_ptr<poppler::page> page(opened->create_page(page_index));
    if (!page) return -1;
    page_renderer renderer;
    renderer.set_render_hints(page_renderer::antialiasing | page_renderer::text_antialiasing);
    const poppler::image image = renderer.render_page(page.get(), x_resolution, y_resolution, x, y, width, height);
    if (!image.is_valid() || image.width() != width || image.height() != height) return -1;
    for (int row = 0; row < height; row++)
        memcpy(pixels + row * (size_t)row_length, image.const_data() + row * (size_t)image.bytes_per_row(), width * 4);
    return 0;
} catch (...) {
    return -1;
}
