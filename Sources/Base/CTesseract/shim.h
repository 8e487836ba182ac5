#include <stddef.h>
#include <stdio.h>
#include <tesseract/capi.h>
