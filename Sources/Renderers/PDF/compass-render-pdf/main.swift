internal import Formats
internal import Media
internal import PageRenderer
internal import Rendering

RendererProgram<PageRenderer>.main(serving: [.pdf], recognizing: FormatReaders.bySignature)
