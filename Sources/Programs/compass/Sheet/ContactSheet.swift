import Media
import Thumbnailer

/// Pictures side by side, each with its name below.
struct ContactSheet {
    /// The space for a picture in its cell.
    static let pictureBox = Box(width: 200, height: 150)!
    private static let cell = PixelSize(width: 216, height: 184)
    private static let paper = Colour(red: 0xF3, green: 0xF4, blue: 0xF6)
    private static let ink = Colour(red: 0x22, green: 0x2A, blue: 0x35)
    private static let warning = Colour(red: 0xB4, green: 0x23, blue: 0x18)

    private let columns: Int
    private let size: PixelSize
    private var canvas: ShapeCanvas
    private var labels: [SheetLabels.Label] = []
    private var count = 0

    /// A sheet for `count` pictures.
    init(columns: Int, count: Int) {
        self.columns = columns
        size = PixelSize(
            width: min(columns, count) * Self.cell.width, height: (count + columns - 1) / columns * Self.cell.height)
        canvas = ShapeCanvas(size: size, background: Self.paper)
    }

    /// Draws a picture into the next cell.
    mutating func add(_ picture: Bitmap?, title: String, failure: Failure?) {
        let (cell, box) = (Self.cell, Self.pictureBox.bounds)
        let left = count % columns * cell.width
        let top = count / columns * cell.height
        if let picture {
            canvas.draw(
                picture, atX: left + (cell.width - picture.width) / 2,
                y: top + 8 + (box.height - picture.height) / 2)
        } else {
            addLabel(failure?.code.rawValue ?? "–", atX: left, y: top + 71, Self.warning)
        }
        addLabel(title, atX: left, y: top + 160, Self.ink)
        count += 1
    }

    private mutating func addLabel(_ text: String, atX left: Int, y top: Int, _ colour: Colour) {
        let area = PixelArea(x: left + 4, y: top, size: PixelSize(width: Self.cell.width - 8, height: 20))
        labels.append(SheetLabels.Label(text: text, area: area, colour: colour))
    }

    /// Draws all labels.
    ///
    /// - Returns: why labels are missing, if there is no renderer or no font for them.
    mutating func drawLabels(by drawing: SheetLabels) -> Failure? {
        // A drawing holds as many rows of cells as fit below a limit of pixels: one drawing for some 170 files.
        let rowsAtOnce = max(1, Self.largestDrawing / (size.width * Self.cell.height))
        for top in stride(from: 0, to: size.height, by: rowsAtOnce * Self.cell.height) {
            let part = PixelSize(
                width: size.width, height: min(rowsAtOnce * Self.cell.height, size.height - top))
            let inside = labels.filter { (top..<top + part.height).contains($0.area.y) }.map { label in
                SheetLabels.Label(
                    text: label.text,
                    area: PixelArea(x: label.area.x, y: label.area.y - top, size: label.area.size),
                    colour: label.colour)
            }
            switch Result(catching: { () throws(Failure) in try drawing.drawn(inside, size: part) }) {
            case .success(let picture): canvas.draw(picture, atX: 0, y: top)
            case .failure(let failure): return failure
            }
        }
        return nil
    }

    /// The largest drawing of labels, in pixels.
    private static let largestDrawing = 7_000_000

    /// The finished sheet.
    var bitmap: Bitmap { canvas.bitmap }
}
