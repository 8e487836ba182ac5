#include "CWebP.h"

// From 1.3 on (Debian 13) a part of libwebp's encoder is a library of its own, which static programs must link. It is named
// here and not in Package.swift, because SwiftPM caches that file's evaluation for all machines that share a home folder.
#if __has_include(<webp/sharpyuv/sharpyuv.h>)
#pragma comment(lib, "sharpyuv")
#endif
