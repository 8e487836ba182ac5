"""MP4 and QuickTime files changed by hand (ISO/IEC 14496-12); the index has to stand behind the pictures, as ffmpeg puts it."""

import struct

from heif import box, find

MOVIE = (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd")


def with_matrix(a, b, c, d):
    """Gives the first track the matrix that takes (x, y) to (a·x + c·y, b·x + d·y)."""
    def change(data):
        movie = find(data, b"moov", 0, len(data))
        track = find(data, b"trak", movie[0] + 8, movie[1])
        header = find(data, b"tkhd", track[0] + 8, track[1])[0]
        at = header + (60 if data[header + 8] else 48)
        numbers = struct.pack(">9i", a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30)
        return data[:at] + numbers + data[at + 36:]
    return change


def with_clap(width, height, right=(0, 1), down=(0, 1)):
    """Adds a clean aperture (8.3.4 of 14496-12, 12.1.4): its size, and how far its centre lies from the picture's."""
    ratio = lambda value: struct.pack(">iI", *(value if isinstance(value, tuple) else (value, 1)))
    return with_child(box(b"clap", ratio(width) + ratio(height) + ratio(right) + ratio(down)))


def with_child(child):
    """Puts a box at the end of the first sample entry of the first track."""
    def change(data):
        places, start, end = [], 0, len(data)
        for kind in MOVIE:
            place = find(data, kind, start, end)
            places.append(place)
            start, end = place[0] + (16 if kind == b"stsd" else 8), place[1]
        entry = (start, start + struct.unpack_from(">I", data, start)[0])
        places.append(entry)
        result = bytearray(data[:entry[1]] + child + data[entry[1]:])
        for begin, finish in places:
            struct.pack_into(">I", result, begin, finish - begin + len(child))
        return bytes(result)
    return change
