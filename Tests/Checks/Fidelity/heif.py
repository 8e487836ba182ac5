"""HEIF files whose picture is turned by their container (ISO/IEC 23008-12, 6.5.10 and 6.5.12)."""

import struct

import numpy


def stored_for(upright, quarters, mirror):
    """The pixels to store so that `irot` (by quarters against the clock), then `imir`, shows `upright`."""
    flipped = {None: lambda p: p, 0: numpy.flipud, 1: numpy.fliplr}[mirror](upright)
    return numpy.ascontiguousarray(numpy.rot90(flipped, -quarters))


def with_turns(data, quarters, mirror):
    """The file with `irot` and `imir` beside the properties of its first item."""
    turns = [box(b"irot", bytes([quarters]))] if quarters else []
    turns += [box(b"imir", bytes([mirror]))] if mirror is not None else []
    meta = find(data, b"meta", 0, len(data))
    properties = find(data, b"iprp", meta[0] + 12, meta[1])
    container = find(data, b"ipco", properties[0] + 8, properties[1])
    count = sum(1 for _ in walk(data, container[0] + 8, container[1]))
    links = find(data, b"ipma", properties[0] + 8, properties[1])
    added = b"".join(turns)
    new_links = linked(data[links[0]:links[1]], range(count + 1, count + 1 + len(turns)))
    grown = len(added) + len(new_links) - (links[1] - links[0])
    locations = find(data, b"iloc", meta[0] + 12, meta[1])
    result = bytearray(data[:container[1]] + added + data[container[1]:links[0]] + new_links + data[links[1]:])
    result[locations[0]:locations[1]] = moved(data[locations[0]:locations[1]], grown)
    for place, by in ((container, len(added)), (properties, grown), (meta, grown)):
        struct.pack_into(">I", result, place[0], place[1] - place[0] + by)
    return bytes(result)


def linked(ipma, indices):
    """The association box, with further essential properties of its first item."""
    version, flags = ipma[8], ipma[11]
    if flags & 1:
        raise ValueError("wide property indices")
    at = 16 + (4 if version else 2)
    count = ipma[at] + len(indices)
    end = at + 1 + ipma[at]
    extra = bytes(0x80 | index for index in indices)
    return box(b"ipma", ipma[8:at] + bytes([count]) + ipma[at + 1:end] + extra + ipma[end:])


def moved(iloc, by):
    """The location box, with the offsets of data in the file (not in `idat`) moved."""
    version, sizes, bases = iloc[8], iloc[12], iloc[13]
    offset_size, length_size, base_size = sizes >> 4, sizes & 15, bases >> 4
    if version > 1 or offset_size != 4 or base_size not in (0, 4):
        raise ValueError("another form of iloc")
    result, at = bytearray(iloc), 16
    for _ in range(struct.unpack_from(">H", iloc, 14)[0]):
        method = struct.unpack_from(">H", iloc, at + 2)[0] & 15 if version else 0
        at += (4 if version else 2) + 2 + base_size
        count, at = struct.unpack_from(">H", iloc, at)[0], at + 2
        for _ in range(count):
            if method == 0:
                struct.pack_into(">I", result, at, struct.unpack_from(">I", iloc, at)[0] + by)
            at += offset_size + length_size
    return bytes(result)


def box(kind, body):
    return struct.pack(">I4s", 8 + len(body), kind) + body


def walk(data, start, end):
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        yield kind, start, start + size
        start += size


def find(data, kind, start, end):
    return next((first, last) for name, first, last in walk(data, start, end) if name == kind)
