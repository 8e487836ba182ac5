internal import Media
internal import Rendering
internal import Sniffer

RendererProgram<Sniffer>.main(serving: [.sniff])
