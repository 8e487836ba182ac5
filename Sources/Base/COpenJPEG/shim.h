// OpenJPEG, the decoder of JPEG 2000.
#pragma once

#include <openjpeg.h>
