// libwebp's encoder and decoder, as its headers declare them.
#pragma once

#include <webp/decode.h>
#include <webp/encode.h>
