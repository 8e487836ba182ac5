#include "CWebP.h"

// libwebp from 1.3 on (Debian 13) keeps a part of its encoder in a library of its own. A program that is linked statically has
// to name it; here and not in Package.swift, whose evaluation SwiftPM keeps for every machine that shares a home folder.
#if __has_include(<webp/sharpyuv/sharpyuv.h>)
#pragma comment(lib, "sharpyuv")
#endif
