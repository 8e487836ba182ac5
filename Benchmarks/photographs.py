"""Pictures with a photograph's statistics: noise whose power falls with its frequency, under shapes with sharp edges."""

import random
import subprocess

import pyvips

from inputs import main

LEVELS = [(256, 34), (64, 20), (16, 11), (4, 7)]
"""The size of the noise's grains in pixels, and how strong it is."""

FINE = 13.0
"""The strength of the grain of single pixels, chosen so that 20 megapixels have 7 MB at quality 85."""

QUALITY = 85


def noise(width, height, sigma, seed):
    return pyvips.Image.gaussnoise(width, height, mean=0, sigma=sigma, seed=seed)


def ground(width, height, seed):
    """Three highly correlated bands: colours vary slowly, as they do in photographs."""
    image = None
    for level, (grain, sigma) in enumerate(LEVELS):
        across, down = width // grain + 2, height // grain + 2
        common = noise(across, down, sigma, seed * 100 + level)
        layer = common.bandjoin([common, common])
        if grain >= 64:
            own = [noise(across, down, sigma / 2, seed * 100 + 10 * band + level) for band in (1, 2, 3)]
            layer += own[0].bandjoin(own[1:])
        image = layer if image is None else layer + image.resize(4, kernel="cubic").crop(0, 0, across, down)
        # Each level is small beside the next, and is read in strips by it.
        image = image.copy_memory() if grain > 4 else image
    image = image.resize(4, kernel="cubic").crop(0, 0, width, height)
    return (image + noise(width, height, FINE, seed * 100 + 99) + 118).cast("uchar").copy(interpretation="srgb")


def shapes(width, height, seed):
    """Polygons and words in flat colours, half covering what is below."""
    chance = random.Random(seed)
    marks = []
    for _ in range(160):
        x, y, size = chance.random() * 1500, chance.random() * 1000, 8 + chance.random() ** 3 * 260
        points = " ".join(f"{x + chance.uniform(-size, size):.1f},{y + chance.uniform(-size, size):.1f}" for _ in range(4))
        colour = "#%02x%02x%02x" % tuple(chance.randrange(256) for _ in range(3))
        marks.append(f'<polygon points="{points}" fill="{colour}" fill-opacity="0.45"/>')
    text = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 1500 1000" '
            f'preserveAspectRatio="none">{"".join(marks)}</svg>')
    return pyvips.Image.svgload_buffer(text.encode(), unlimited=True)


def picture(width, height, seed=1):
    width, height = int(width), int(height)
    pictured = ground(width, height, seed).composite2(shapes(width, height, seed), "over")
    return pictured.flatten().cast("uchar").copy(interpretation="srgb")


def opened(path):
    return pyvips.Image.new_from_file(path)


def with_alpha(image):
    """Transparent outside a soft ellipse, as a cut-out is."""
    x, y = pyvips.Image.xyz(image.width, image.height).bandsplit()
    distance = (((x / image.width - 0.5) * 2) ** 2 + ((y / image.height - 0.5) * 2) ** 2)
    return image.bandjoin(((1 - distance) * 900).cast("uchar"))


def write_png_palette(target, width, height, source):
    """A drawing of flat colours, as palettes are used for."""
    drawing = shapes(int(width), int(height), 5).flatten(background=[250, 250, 245])
    drawing.pngsave(target, palette=True, Q=100, dither=0, effort=1)


def write_16bit(target, width, height, source):
    image = opened(source)
    (image.cast("ushort") * 257).cast("ushort").copy(interpretation="rgb16").pngsave(target, compression=4)


def write_progressive(target, width, height, source):
    # The same coefficients, in another order.
    subprocess.run(["jpegtran", "-progressive", "-copy", "none", "-outfile", target, source], check=True)


def write_heic(target, width, height, source):
    partial = target + ".heic"
    subprocess.run(["heif-enc", "-q", "60", "-p", "preset=ultrafast", "--thumb", "512", "-o", partial, source], check=True)
    subprocess.run(["mv", partial, target], check=True)


def write_zone_plate(target, width, height):
    """Rings whose frequency grows to half a cycle a pixel: aliasing shows as false rings."""
    width, height = int(width), int(height)
    x, y = pyvips.Image.xyz(width, height).bandsplit()
    square = (x - width / 2) ** 2 + (y - height / 2) ** 2
    # The phase's slope reaches 180 degrees a pixel at the short side's edge.
    plate = (square * (180.0 / height)).cos() * 120 + 128
    plate.cast("uchar").jpegsave(target, Q=95)


RECIPES = {
    "picture": lambda target, width, height: picture(width, height).vipssave(target),
    "jpeg-direct": lambda target, width, height: picture(width, height).jpegsave(target, Q=QUALITY),
    "jpeg": lambda target, width, height, source: opened(source).jpegsave(target, Q=QUALITY),
    "progressive": write_progressive,
    "png": lambda target, width, height, source: opened(source).pngsave(target, compression=6, filter="all"),
    "png-alpha": lambda target, width, height, source: with_alpha(opened(source)).pngsave(target, compression=6, filter="all"),
    "png-16bit": write_16bit,
    "png-profile": lambda target, width, height, source: opened(source).icc_transform(
        "p3", input_profile="srgb").pngsave(target, compression=4, filter="all", profile="p3"),
    "png-palette": write_png_palette,
    "webp": lambda target, width, height, source: opened(source).webpsave(target, Q=80, effort=2),
    "heic": write_heic,
    "avif": lambda target, width, height, source: opened(source).heifsave(target, compression="av1", Q=60, effort=1),
    "tiff": lambda target, width, height, source: opened(source).tiffsave(target, compression="lzw", predictor="horizontal"),
    "zone-plate": write_zone_plate,
}

if __name__ == "__main__":
    main(RECIPES)
