// Opens plain JPEGs for compass: see PlainRenderer.

import Media
import PlainRenderer
import Rendering

RendererProgram<PlainRenderer>.main(serving: [.plain])
