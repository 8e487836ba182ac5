// Opens images for compass: see ImageRenderer.

import ImageRenderer
import Media
import Rendering

RendererProgram<ImageRenderer>.main(serving: [.image, .svg])
