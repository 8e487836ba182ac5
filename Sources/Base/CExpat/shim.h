// expat, the XML parser.
#pragma once

#include <stdint.h>
#include <expat.h>

/// The line at which the parser stopped, counted from 1. Expat 2.9 deprecates the function whose result has the size of `long`.
static inline uint64_t cexpat_line_number(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 9)
    return XML_GetCurrentLineNumber64(parser);
#else
    return XML_GetCurrentLineNumber(parser);
#endif
}
