"""Light of high dynamic range by its standards, and its picture on an ordinary screen: written from the formulas alone.

PQ: SMPTE ST 2084. HLG: ITU-R BT.2100-2, table 5, for a screen of 1,000 cd/m². Tone mapping: ITU-R BT.2390-8, 5.4.1, without
a raised black, from the picture's peak (PQ) or the system's (HLG) to 203 cd/m² (ITU-R BT.2408), applied to the largest of red,
green and blue and to the others in proportion.
"""

import numpy

WHITE = 203.0
M1, M2, C1, C2, C3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128
A = 0.17883277
B, C = 1 - 4 * A, 0.5 - A * numpy.log(4 * A)
# ITU-R BT.2087, M2 inverted.
TO_709 = numpy.linalg.inv(numpy.array([[0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956]]))


def pq(light):
    """cd/m² to signals of 0…1."""
    power = (numpy.maximum(light, 0) / 10_000) ** M1
    return ((C1 + C2 * power) / (1 + C3 * power)) ** M2


def pq_light(signal):
    power = numpy.maximum(signal, 0) ** (1 / M2)
    return 10_000 * (numpy.maximum(power - C1, 0) / (C2 - C3 * power)) ** (1 / M1)


def hlg(light):
    """cd/m² on the screen to signals: the OOTF undone, then the OETF."""
    return hlg_signal(scene(light))


def scene(light):
    """cd/m² on a screen of 1,000 to the scene's light of 0…1 (γ = 1.2)."""
    luminance = light @ numpy.array([0.2627, 0.6780, 0.0593])
    return light / 1000 * (numpy.maximum(luminance, 1e-9) / 1000)[..., None] ** (1 / 1.2 - 1)


def hlg_signal(scene):
    return numpy.where(scene <= 1 / 12, numpy.sqrt(3 * scene), A * numpy.log(numpy.maximum(12 * scene - B, 1e-9)) + C)


def hlg_light(signal):
    scene = numpy.where(signal <= 0.5, signal ** 2 / 3, (numpy.exp((signal - C) / A) + B) / 12)
    return 1000 * scene * (scene @ numpy.array([0.2627, 0.6780, 0.0593]))[..., None] ** 0.2


# ITU-R BT.2100-2, tables 6 and 7.
CONES = numpy.array([[1688, 2146, 262], [683, 2951, 462], [99, 309, 3688]]) / 4096
ICTCP = {"pq": numpy.array([[2048, 2048, 0], [6610, -13613, 7003], [17933, -17390, -543]]) / 4096,
         "hlg": numpy.array([[2048, 2048, 0], [3625, -7465, 3840], [9500, -9212, -288]]) / 4096}


def ictcp(curve):
    """A function from light in cd/m² to I, Ct and Cp."""
    def converted(light):
        signal = pq(light @ CONES.T) if curve == "pq" else hlg_signal(scene(light) @ CONES.T)
        return numpy.moveaxis(signal @ ICTCP[curve].T, -1, 0)
    return converted


def eetf(light, peak):
    """BT.2390's curve; all values in cd/m²."""
    if peak <= WHITE:
        return light
    whole = pq(peak)
    top, signal = pq(WHITE) / whole, numpy.minimum(pq(light) / whole, 1)
    knee = 1.5 * top - 0.5
    t = (signal - knee) / (1 - knee)
    spline = (2 * t**3 - 3 * t**2 + 1) * knee + (t**3 - 2 * t**2 + t) * (1 - knee) + (3 * t**2 - 2 * t**3) * top
    return numpy.where(signal < knee, light, pq_light(numpy.where(signal < knee, 0, spline) * whole))


def shown(light, peak, narrow=True):
    """Light in BT.2020's primaries as an sRGB picture."""
    largest = numpy.maximum(light.max(axis=-1, keepdims=True), 1e-6)
    mapped = light * eetf(largest, peak) / largest / WHITE
    mapped = (mapped @ TO_709.T if narrow else mapped).clip(0, 1)
    value = numpy.where(mapped <= 0.0031308, 12.92 * mapped, 1.055 * mapped ** (1 / 2.4) - 0.055)
    return (255 * value).round().astype(numpy.uint8)


def chart(peak):
    """48 patches of light: a gray ramp from black to the peak, even in PQ; skin at four exposures; colours; 40 × 40 pixels each."""
    ramp = pq_light(numpy.linspace(0, pq(peak), 24))
    rows = [numpy.array([[v, v, v] for v in ramp])]
    # ColorChecker's two skins, light in BT.709's primaries, a diffuse white of 203 cd/m².
    skins = numpy.array([[0.552, 0.305, 0.225], [0.171, 0.084, 0.058]]) * WHITE
    rows += [numpy.array([skin * gain for gain in (0.25, 0.5, 1, 2) for skin in skins]) @ numpy.linalg.inv(TO_709).T]
    hues = numpy.array([[1, 0.1, 0.1], [0.1, 1, 0.1], [0.1, 0.1, 1], [1, 1, 0.1], [0.1, 1, 1], [1, 0.1, 1], [1, 0.6, 0.2], [0.3, 0.5, 1]])
    rows += [hues * level for level in (80.0, min(400.0, peak))]
    values = numpy.vstack(rows).reshape(6, 8, 3)
    return values.repeat(40, axis=0).repeat(40, axis=1)
