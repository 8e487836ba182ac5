// Measures the cost of a warm task compared with the same work in this process, and whether the host keeps its size and
// speed over many tasks.
import CLinux
import ImageRenderer
import Linux
import Media
import PageRenderer
import PlainRenderer
import RenderHost
import VideoRenderer

let arguments = CommandLine.arguments
guard arguments.count == 4 else {
    print("usage: warm-cost cost image|plain|pdf|video FILE   or   warm-cost endurance THREADS FOLDER")
    exit(2)
}
let programs = try RendererPrograms.ofRunningProgram()
switch (arguments[1], arguments[2]) {
case ("cost", "image"): try WarmCost.print(ImageRenderer(as: .image), as: .image, of: Sample(arguments[3]), programs)
case ("cost", "plain"): try WarmCost.print(PlainRenderer(as: .plain), as: .plain, of: Sample(arguments[3]), programs)
case ("cost", "pdf"): try WarmCost.print(PageRenderer(as: .pdf), as: .pdf, of: Sample(arguments[3]), programs)
case ("cost", "video"): try WarmCost.print(VideoRenderer(as: .video), as: .video, of: Sample(arguments[3]), programs)
case ("endurance", let threads): try Endurance(programs, samples: arguments[3]).run(threads: Int(threads)!)
default: exit(2)
}
