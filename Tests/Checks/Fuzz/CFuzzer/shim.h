// libFuzzer used as a library (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library"): it has no header of its own.
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *bytes, size_t count));
