// A document's file as one of Poppler's streams.
#pragma once

#include "CPopplerCore.h"

class BaseStream;

/// A stream over the file, which it does not own. A document takes it over.
BaseStream *poppler_core_stream(const poppler_core_file &file);
