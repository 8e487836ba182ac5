internal import Formats
internal import Media
internal import PageRecognizer
internal import Rendering

RendererProgram<PageRecognizer>.main(serving: [.recognition])
