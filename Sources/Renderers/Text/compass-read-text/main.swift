internal import Formats
internal import Media
internal import Rendering
internal import TextReader

RendererProgram<TextReader>.main(serving: [.text])
