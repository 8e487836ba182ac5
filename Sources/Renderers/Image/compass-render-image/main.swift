// Opens images for compass: see ImageRenderer.

import Formats
import ImageRenderer
import Media
import Rendering

RendererProgram<ImageRenderer>.main(serving: [.image, .svg], recognizing: FormatReaders.bySignature)
