import ArgumentParser
import Console
import Media

/// `compass thumb`: makes renditions of files.
struct ThumbCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumb",
        abstract: "Make thumbnails of files.",
        discussion: """
            Without -o the path of each rendition in the cache is printed, one line for each file.

            Examples:
              compass thumb talk.mp4                              the preset grid: 640×360
              compass thumb --preset list --preset preview a.pdf  two renditions from one decode
              compass thumb --size 800x --format webp a.jpg -o a.webp
              compass thumb --at 10% talk.mp4 -o frame.png        a frame at a tenth of the duration
              compass thumb --page 3 report.pdf -o page3.png
              compass thumb --explain --force talk.mp4            and explain how it was made
              compass thumb *.jpg -o 'thumbs/{stem}-{recipe}.{ext}'
              curl -s https://example.org/a.pdf | compass thumb - -o - > a.jpg
            """)

    @Argument(help: ArgumentHelp("Files; - reads standard input.", valueName: "file"), completion: .file())
    var files: [FilePath]

    @OptionGroup(title: "What to make")
    var recipe: RecipeOptions

    @OptionGroup
    var options: ThumbOptions

    @OptionGroup(title: "Settings")
    var settings: SettingsOptions

    func validate() throws { try call.validate() }
    func run() throws { try call.run() }

    /// The call that ArgumentParser has read.
    var call: ThumbCall {
        ThumbCall(files: files, recipe: recipe, options: options, settings: settings)
    }
}
