// Opens moving pictures for compass: see VideoRenderer.

import Media
import Rendering
import VideoRenderer

RendererProgram<VideoRenderer>.main(serving: [.video])
