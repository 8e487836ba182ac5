#include "FileStream.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include <poppler/ErrorCodes.h>
#include <poppler/Error.h>
#include <poppler/GlobalParams.h>
#include <poppler/Page.h>
#include <poppler/PDFDoc.h>
#include <poppler/TextOutputDev.h>
#include <poppler/UnicodeTypeTable.h>

// The handle that the header declares.
struct poppler_core_document {
    PDFDoc document;
};

namespace {

char last_warning[256];

void keep_warning(ErrorCategory, Goffset, const char *message) {
    snprintf(last_warning, sizeof last_warning, "%s", message);
}

// Latin and Armenian ligatures, and the Hebrew and Arabic letters of one shape: search and screen readers know the plain
// letters.
bool is_presentation_form(Unicode character) {
    return (character >= 0xFB00 && character <= 0xFDFF) || (character >= 0xFE70 && character <= 0xFEFC);
}

bool is_right_to_left(Unicode character) {
    return (character >= 0x590 && character <= 0x8FF) || (character >= 0xFB1D && character <= 0xFDFF)
        || (character >= 0xFE70 && character <= 0xFEFC) || (character >= 0x10800 && character <= 0x10FFF)
        || (character >= 0x1E800 && character <= 0x1EFFF);
}

// The vowel signs of Arabic and Hebrew.
bool is_mark(Unicode character) {
    return (character >= 0x64B && character <= 0x65F) || character == 0x670
        || (character >= 0x591 && character <= 0x5C7);
}

// Poppler's text device with plain letters in place of ligatures, up to a number of characters.
struct Output: TextOutputDev {
    int rest;
    bool is_cut = false;

    explicit Output(int most_characters):
        TextOutputDev(nullptr, false, 0, false, false), rest(most_characters) {}

    void drawChar(
        GfxState *state, double x, double y, double dx, double dy, double origin_x, double origin_y, CharCode code,
        int byte_count, const Unicode *characters, int count) override {
        if (count > rest) {
            is_cut = true;
            return;
        }
        rest -= std::max(count, 1);
        std::vector<Unicode> plain;
        if (std::any_of(characters, characters + count, is_presentation_form)
            || (count > 1 && is_right_to_left(characters[0])))
            plain = spelt_out(characters, count);
        if (!plain.empty()) {
            characters = plain.data();
            count = plain.size();
        }
        TextOutputDev::drawChar(
            state, x, y, dx, dy, origin_x, origin_y, code, byte_count, characters, count);
    }

    // The letters of a glyph, from left to right as the glyphs of a line are.
    static std::vector<Unicode> spelt_out(const Unicode *characters, int count) {
        std::vector<Unicode> plain;
        for (int index = 0; index < count; index++) {
            if (!is_presentation_form(characters[index])) {
                plain.push_back(characters[index]);
                continue;
            }
            int length = 0;
            Unicode *letters = unicodeNormalizeNFKC(&characters[index], 1, &length, nullptr);
            if (letters) plain.insert(plain.end(), letters, letters + length);
            gfree(letters);
        }
        // A letter and its marks stay in their order.
        if (!plain.empty() && is_right_to_left(plain[0]) && std::none_of(plain.begin(), plain.end(), is_mark))
            std::reverse(plain.begin(), plain.end());
        return plain;
    }
};

} // namespace

poppler_core_document *poppler_core_open(const poppler_core_file *file, int *is_encrypted) try {
    // Poppler keeps its settings as long as one of these lives.
    static GlobalParamsIniter settings(keep_warning);
    setErrorCallback(keep_warning);
    *is_encrypted = 0;
    std::unique_ptr<poppler_core_document> opened(new poppler_core_document{PDFDoc(poppler_core_stream(*file))});
    if (!opened->document.isOk()) {
        *is_encrypted = opened->document.getErrorCode() == errEncrypted;
        return nullptr;
    }
    return opened->document.getNumPages() > 0 ? opened.release() : nullptr;
} catch (...) {
    return nullptr;
}

void poppler_core_close(poppler_core_document *document) { delete document; }

int poppler_core_page_count(const poppler_core_document *document) {
    return const_cast<PDFDoc &>(document->document).getNumPages();
}

int poppler_core_read_words(
    poppler_core_document *document, int page_index, int most_characters, double *width, double *height, int *is_cut,
    void *context, void (*pass)(void *context, const poppler_core_word *word)) try {
    PDFDoc &opened = document->document;
    // Poppler 25.03 may repair damaged cross-reference sections on its way to a page: the second call finds the page then.
    Page *page = opened.getPage(page_index + 1);
    if (!page) page = opened.getPage(page_index + 1);
    if (!page) return -1;
    bool is_on_its_side = page->getRotate() == 90 || page->getRotate() == 270;
    *width = is_on_its_side ? page->getCropHeight() : page->getCropWidth();
    *height = is_on_its_side ? page->getCropWidth() : page->getCropHeight();
    Output output(most_characters);
    double points_per_inch = 72;
    opened.displayPage(&output, page_index + 1, points_per_inch, points_per_inch, 0, false, true, false);
    *is_cut = output.is_cut;
    std::vector<uint32_t> characters;
    for (const TextFlow *flow = output.getFlows(); flow; flow = flow->getNext())
        for (const TextBlock *block = flow->getBlocks(); block; block = block->getNext())
            for (const TextLine *line = block->getLines(); line; line = line->getNext())
                for (const TextWord *word = line->getWords(); word; word = word->getNext()) {
                    characters.clear();
                    for (int index = 0; index < word->getLength(); index++) characters.push_back(*word->getChar(index));
                    poppler_core_word passed = {};
                    passed.characters = characters.data();
                    passed.count = characters.size();
                    word->getBBox(&passed.left, &passed.top, &passed.right, &passed.bottom);
                    passed.rotation = word->getRotation();
                    passed.ending = word->getNext()
                        ? (word->hasSpaceAfter() ? POPPLER_CORE_SPACE : POPPLER_CORE_NOTHING)
                        : (line->getNext() ? POPPLER_CORE_LINE_END : POPPLER_CORE_BLOCK_END);
                    pass(context, &passed);
                }
    return 0;
} catch (...) {
    return -1;
}

const char *poppler_core_warning(void) { return last_warning; }
