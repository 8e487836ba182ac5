// libwebp: its encoder; the tests read what was encoded by its decoder.
#pragma once

#include <webp/decode.h>
#include <webp/encode.h>
