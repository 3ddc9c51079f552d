/* The pixels of an image, decoded by the browser, in NumPy's format: an array of height x width x 4 bytes. */

export async function pixels(file) {
  const image = await createImageBitmap(file), { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const start = "\x93NUMPY\x01\x00";
  const told = `{'descr': '|u1', 'fortran_order': False, 'shape': (${height}, ${width}, 4)}`;
  // The header ends with a line end at a multiple of 64 bytes, and says its own length.
  const length = Math.ceil((start.length + 2 + told.length + 1) / 64) * 64 - start.length - 2;
  const header = start + String.fromCharCode(length & 255, length >> 8) + told.padEnd(length - 1) + "\n";
  const made = new Uint8Array(header.length + data.length);
  made.set(Uint8Array.from(header, (c) => c.charCodeAt(0)));
  made.set(data, header.length);
  return made;
}
