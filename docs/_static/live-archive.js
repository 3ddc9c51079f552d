/* What the page loads compressed, unpacked by the browser, which does so many times as fast as Python in it. */

/** What the bytes of a stream were before gzip, unpacked as they come; also where the server has done it on the way.
    `got` is told of each part how long it is. */
export async function gunzipped(stream, got = () => {}) {
  let writer, made;
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    got(value.length);
    if (!writer) {
      const through = value[0] === 0x1f ? new DecompressionStream("gzip") : new TransformStream();
      writer = through.writable.getWriter();
      made = new Response(through.readable).arrayBuffer();
      made.catch(() => {});                 // the writer gets the error as well
    }
    await writer.write(value);
  }
  await writer?.close();
  return new Uint8Array(await made ?? 0);
}

/** [[name, bytes]] of the files in a tar. */
export function untarred(bytes) {
  const decoder = new TextDecoder(), found = [];
  const field = (at, length) => decoder.decode(bytes.subarray(at, at + length)).replace(/\0.*$/s, "");
  for (let at = 0; bytes[at]; ) {           // a block of 512 bytes says what comes; one of zeros ends the list
    const prefix = field(at + 345, 155), name = field(at, 100), size = parseInt(field(at + 124, 12), 8);
    found.push([prefix ? `${prefix}/${name}` : name, bytes.subarray(at + 512, at + 512 + size)]);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}
