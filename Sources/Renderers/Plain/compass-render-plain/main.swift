// Opens plain JPEGs for compass: see PlainRenderer.

import Formats
import Media
import PlainRenderer
import Rendering

RendererProgram<PlainRenderer>.main(serving: [.plain], recognizing: FormatReaders.bySignature)
