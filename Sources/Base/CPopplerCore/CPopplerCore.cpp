#include "FileStream.h"

#include <algorithm>
#include <cstring>

#include <poppler/PDFDoc.h>
#include <poppler/GfxState.h>
#include <poppler/SplashOutputDev.h>
#include <poppler/splash/Splash.h>
#include <poppler/splash/SplashBitmap.h>

namespace {

// A colour for the non-separable blend functions of ISO 32000-1, 11.3.5.3, in levels from 0 to 255.
struct Colour {
    int red, green, blue;

    explicit Colour(const unsigned char *levels): red(levels[0]), green(levels[1]), blue(levels[2]) {}

    int luminosity() const { return (77 * red + 151 * green + 28 * blue + 128) >> 8; }
    int least() const { return std::min({red, green, blue}); }
    int most() const { return std::max({red, green, blue}); }
    int saturation() const { return most() - least(); }

    void set_saturation(int wanted) {
        int low = least(), span = saturation();
        for (int *level: {&red, &green, &blue}) *level = span ? (*level - low) * wanted / span : 0;
    }

    void set_luminosity(int wanted) {
        int difference = wanted - luminosity();
        for (int *level: {&red, &green, &blue}) *level += difference;
        int centre = luminosity(), low = least(), high = most();
        for (int *level: {&red, &green, &blue}) {
            if (low < 0) *level = centre + (*level - centre) * centre / (centre - low);
            if (high > 255) *level = centre + (*level - centre) * (255 - centre) / (high - centre);
            *level = std::clamp(*level, 0, 255);
        }
    }

    void write(unsigned char *levels) const {
        levels[0] = red;
        levels[1] = green;
        levels[2] = blue;
    }
};

void blend_hue(SplashColorPtr source, SplashColorPtr backdrop, SplashColorPtr result, SplashColorMode) {
    Colour colour(source), below(backdrop);
    colour.set_saturation(below.saturation());
    colour.set_luminosity(below.luminosity());
    colour.write(result);
}

void blend_saturation(SplashColorPtr source, SplashColorPtr backdrop, SplashColorPtr result, SplashColorMode) {
    Colour colour(backdrop), below(backdrop);
    colour.set_saturation(Colour(source).saturation());
    colour.set_luminosity(below.luminosity());
    colour.write(result);
}

// Splash with correct functions for two blend modes, which its own functions draw in wrong colours.
struct Output: SplashOutputDev {
    using SplashOutputDev::SplashOutputDev;

    void updateBlendMode(GfxState *state) override {
        SplashOutputDev::updateBlendMode(state);
        if (state->getBlendMode() == gfxBlendHue) getSplash()->setBlendFunc(blend_hue);
        if (state->getBlendMode() == gfxBlendSaturation) getSplash()->setBlendFunc(blend_saturation);
    }
};

} // namespace

int poppler_core_draw(
    const poppler_core_file *file, int page_index, double x_resolution, double y_resolution, int x, int y,
    int width, int height, uint8_t *pixels, int row_length) try {
    PDFDoc opened(poppler_core_stream(*file));
    if (!opened.isOk() || page_index >= opened.getNumPages()) return -1;
    SplashColor white = {255, 255, 255};
    Output output(splashModeXBGR8, 4, false, white);
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
