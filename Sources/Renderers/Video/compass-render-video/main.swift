import Formats
import Media
import Rendering
import VideoRenderer

RendererProgram<VideoRenderer>.main(serving: [.video], recognizing: FormatReaders.bySignature)
