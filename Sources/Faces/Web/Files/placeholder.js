// Placeholders: a ThumbHash (evanw.github.io/thumbhash) drawn as a blurred picture of at most 32 × 32.

/** A canvas with the blurred picture of a hash in base64, or `null` where it is none. */
export function placeholder(text) {
  let picture;
  try {
    picture = decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  } catch {
    return null;
  }
  const canvas = document.createElement("canvas");
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext("2d").putImageData(picture, 0, 0);
  return canvas;
}

/** A channel: its mean and its waves, as the fields of the hash have them. */
class Channel {
  constructor(columns, rows, mean, scale, nibble, boost = 1) {
    Object.assign(this, { columns, rows, mean, waves: [] });
    for (let row = 0; row < rows; row += 1) {
      for (let column = row ? 0 : 1; column * rows < columns * (rows - row); column += 1) {
        this.waves.push({ column, row, height: (nibble() / 7.5 - 1) * scale * boost });
      }
    }
  }

  /** What each column's wave adds along one row of pixels; the first has the mean in it. */
  along(down) {
    const heights = new Float64Array(this.columns);
    heights[0] = this.mean;
    for (const { column, row, height } of this.waves) heights[column] += height * down[row] * 2;
    return heights;
  }
}

/** The value of one pixel in a row. */
function at(across, heights) {
  let value = 0;
  for (let column = 0; column < heights.length; column += 1) value += heights[column] * across[column];
  return value;
}

function decode(bytes) {
  const head = bytes[0] | bytes[1] << 8 | bytes[2] << 16;
  const shape = bytes[3] | bytes[4] << 8;
  const hasAlpha = head >> 23 & 1;
  const isWide = shape >> 15 & 1;
  const long = hasAlpha ? 5 : 7;
  const columns = Math.max(3, isWide ? long : shape & 7);
  const rows = Math.max(3, isWide ? shape & 7 : long);
  let position = (hasAlpha ? 6 : 5) * 2;
  const nibble = () => {
    const value = bytes[position >> 1] >> (position & 1) * 4 & 15;
    position += 1;
    return value;
  };
  const light = new Channel(columns, rows, (head & 63) / 63, (head >> 18 & 31) / 31, nibble);
  const yellow = new Channel(3, 3, (head >> 6 & 63) / 31.5 - 1, (shape >> 3 & 63) / 63, nibble, 1.25);
  const red = new Channel(3, 3, (head >> 12 & 63) / 31.5 - 1, (shape >> 9 & 63) / 63, nibble, 1.25);
  const alpha = hasAlpha ? new Channel(5, 5, (bytes[5] & 15) / 15, (bytes[5] >> 4) / 15, nibble) : null;

  const ratio = columns / rows;
  const width = Math.round(ratio > 1 ? 32 : 32 * ratio);
  const height = Math.round(ratio > 1 ? 32 / ratio : 32);
  const picture = new ImageData(width, height);
  const waves = (index, length) => Array.from({ length: 7 }, (_, n) => Math.cos(Math.PI / length * (index + 0.5) * n));
  const across = Array.from({ length: width }, (_, x) => waves(x, width));
  let place = 0;
  for (let y = 0; y < height; y += 1) {
    const down = waves(y, height);
    const [lights, yellows, reds, alphas] = [light, yellow, red, alpha].map((channel) => channel?.along(down));
    for (let x = 0; x < width; x += 1, place += 4) {
      const l = at(across[x], lights);
      const p = at(across[x], yellows);
      const q = at(across[x], reds);
      const blue = l - 2 / 3 * p;
      const r = (3 * l - blue + q) / 2;
      picture.data[place] = 255 * r;
      picture.data[place + 1] = 255 * (r - q);
      picture.data[place + 2] = 255 * blue;
      picture.data[place + 3] = alpha ? 255 * at(across[x], alphas) : 255;
    }
  }
  return picture;
}
