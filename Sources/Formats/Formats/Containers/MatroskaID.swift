/// Element IDs of EBML (RFC 8794, 11.2) and Matroska (RFC 9559, 5.1), with their length markers.
package enum MatroskaID {
    /// The header of the file (RFC 8794, 11.2.1).
    package static let ebml: UInt32 = 0x1A45_DFA3
    /// The DocType: `matroska` or `webm` (RFC 8794, 11.2.6).
    package static let docType: UInt32 = 0x4282
    /// The rest of the file after the header.
    package static let segment: UInt32 = 0x1853_8067
    /// An index of the children of `Segment`.
    package static let seekHead: UInt32 = 0x114D_9B74
    /// One entry of `SeekHead`.
    package static let seek: UInt32 = 0x4DBB
    /// The Element ID that an entry of `SeekHead` refers to.
    package static let seekID: UInt32 = 0x53AB
    /// The position of that element, counted from the data of `Segment`.
    package static let seekPosition: UInt32 = 0x53AC
    /// A run of frames.
    package static let cluster: UInt32 = 0x1F43_B675
    /// The list of tracks.
    package static let tracks: UInt32 = 0x1654_AE6B
    /// The values of a single track.
    package static let trackEntry: UInt32 = 0xAE
    /// A track's kind: 1 for video, 2 for audio.
    package static let trackType: UInt32 = 0x83
    /// A track's codec, as text.
    package static let codecID: UInt32 = 0x86
    /// The values of a video track.
    package static let video: UInt32 = 0xE0
    /// How a frame stores the views of two eyes; 0 for a single view.
    package static let stereoMode: UInt32 = 0x53B8
    /// Hidden rows at the bottom of a frame.
    package static let pixelCropBottom: UInt32 = 0x54AA
    /// Hidden rows at the top of a frame.
    package static let pixelCropTop: UInt32 = 0x54BB
    /// Hidden columns at the left of a frame.
    package static let pixelCropLeft: UInt32 = 0x54CC
    /// Hidden columns at the right of a frame.
    package static let pixelCropRight: UInt32 = 0x54DD
    /// The width as shown, in units of `DisplayUnit`.
    package static let displayWidth: UInt32 = 0x54B0
    /// The height as shown, in units of `DisplayUnit`.
    package static let displayHeight: UInt32 = 0x54BA
    /// The unit of the size as shown: 0 pixels, 1 centimetres, 2 inches, 3 an aspect ratio, 4 unknown.
    package static let displayUnit: UInt32 = 0x54B2

    /// The four hidden margins of a frame.
    package static let pixelCrops = [pixelCropTop, pixelCropBottom, pixelCropLeft, pixelCropRight]
}
