import Encoding
import Media

/// Pictures side by side, each with its name below.
struct ContactSheet {
    /// What a picture may take in its cell.
    static let pictureBox = Box(width: 200, height: 150)!
    private static let cell = PixelSize(width: 216, height: 184)
    private static let paper = Colour(red: 0xF3, green: 0xF4, blue: 0xF6)
    private static let ink = Colour(red: 0x22, green: 0x2A, blue: 0x35)
    private static let warning = Colour(red: 0xB4, green: 0x23, blue: 0x18)

    private let columns: Int
    private var canvas: Canvas
    private var count = 0

    /// A sheet for so many pictures.
    init(columns: Int, count: Int) {
        self.columns = columns
        let size = PixelSize(
            width: min(columns, count) * Self.cell.width, height: (count + columns - 1) / columns * Self.cell.height)
        canvas = Canvas(size: size, background: Self.paper)
    }

    /// Draws a picture into the next cell.
    mutating func add(_ picture: Bitmap?, title: String, failure: Failure?) {
        let (cell, box) = (Self.cell, Self.pictureBox.bounds)
        let left = count % columns * cell.width
        let top = count / columns * cell.height
        let name = title.count > 24 ? title.prefix(11) + ".." + title.suffix(11) : Substring(title)
        if let picture {
            canvas.draw(
                picture, atX: left + (cell.width - picture.width) / 2,
                y: top + 8 + (box.height - picture.height) / 2)
        } else {
            canvas.write(
                failure?.code.rawValue ?? "-", centreX: left + cell.width / 2, y: top + 75, height: 11, Self.warning)
        }
        canvas.write(String(name), centreX: left + cell.width / 2, y: top + 165, height: 8, Self.ink)
        count += 1
    }

    /// The finished sheet.
    var bitmap: Bitmap { canvas.bitmap }
}
