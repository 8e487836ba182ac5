"""H.264 in field pictures (PAFF), which no free encoder writes: every macroblock holds its samples as they are (I_PCM).

Clauses and tables of ITU-T H.264.
"""

import numpy

MACROBLOCK = 16


class Bits:
    def __init__(self):
        self.text = []

    def fixed(self, value, count):
        self.text.append(format(value, f"0{count}b"))

    def exponential(self, *values):
        """ue(v), 9.1; for se(v) only 0 is needed, which is the same."""
        for value in values:
            self.text.append("0" * ((value + 1).bit_length() - 1) + format(value + 1, "b"))

    def raw(self, data):
        """Whole bytes, from the next one on."""
        filled = sum(map(len, self.text)) % 8
        self.text.append("0" * (-filled % 8) + "".join(format(byte, "08b") for byte in data))

    def bytes(self):
        """With the stop bit (7.3.2.11)."""
        text = "".join(self.text) + "1"
        text += "0" * (-len(text) % 8)
        return int(text, 2).to_bytes(len(text) // 8, "big")


def unit(kind, importance, payload):
    """A NAL unit after its start code, with emulation prevention bytes (7.4.1)."""
    escaped, zeros = bytearray(), 0
    for byte in payload:
        if zeros >= 2 and byte <= 3:
            escaped.append(3)
            zeros = 0
        escaped.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return b"\0\0\0\1" + bytes([importance << 5 | kind]) + bytes(escaped)


def sequence(width, height):
    """7.3.2.1.1: profile Main, fields or frames by the picture."""
    bits = Bits()
    for value in (77, 0, 40):
        bits.fixed(value, 8)
    # Its number; bits of the frame number − 4; type of the picture order count, and its bits − 4; one reference picture.
    bits.exponential(0, 0, 0, 0, 1)
    bits.fixed(0, 1)
    # Map units are of fields: half as many rows of macroblocks.
    bits.exponential(width // MACROBLOCK - 1, height // 2 // MACROBLOCK - 1)
    # Not frames only; not adaptive within a frame; direct inference; no cropping; no VUI.
    bits.fixed(0b00100, 5)
    return unit(7, 3, bits.bytes())


def picture_parameters():
    """7.3.2.2: CAVLC, and deblocking control in each slice."""
    bits = Bits()
    bits.exponential(0, 0)
    bits.fixed(0b00, 2)
    bits.exponential(0, 0, 0)
    bits.fixed(0b000, 3)
    bits.exponential(0, 0, 0)
    bits.fixed(0b100, 3)
    return unit(8, 3, bits.bytes())


def field(planes, number, is_bottom, is_second):
    """One field as one slice (7.3.3, 7.3.4); the first of a frame is an IDR picture, the second cannot be."""
    bits = Bits()
    bits.exponential(0, 7, 0)
    bits.fixed(0, 4)
    bits.fixed(1, 1)
    bits.fixed(int(is_bottom), 1)
    if not is_second:
        bits.exponential(number % 2)
    bits.fixed(int(is_second), 4)
    bits.fixed(0, 1 if is_second else 2)
    # The quantizer's delta; no deblocking.
    bits.exponential(0, 1)
    y, cb, cr = planes
    for row in range(0, y.shape[0], MACROBLOCK):
        for column in range(0, y.shape[1], MACROBLOCK):
            bits.exponential(25)
            half = slice(row // 2, row // 2 + 8), slice(column // 2, column // 2 + 8)
            bits.raw(y[row:row + 16, column:column + 16].tobytes() + cb[half].tobytes() + cr[half].tobytes())
    return unit(1 if is_second else 5, 3, bits.bytes())


def stream(frames, size, top_first=True):
    """Frames of two fields each, the upper rows' first, as planes of bytes; of a width of whole macroblocks and a height of twice that."""
    result = sequence(*size) + picture_parameters()
    for number, (upper, lower) in enumerate(frames):
        first, second = (upper, lower) if top_first else (lower, upper)
        result += field([numpy.asarray(plane, numpy.uint8) for plane in first], number, not top_first, False)
        result += field([numpy.asarray(plane, numpy.uint8) for plane in second], number, top_first, True)
    return result
