/* What the page loads compressed, unpacked by the browser, which does so many times as fast as Python in it. */

/** What a file held before gzip; also where the server has unpacked it on the way. */
export async function gunzipped(buffer) {
  const bytes = new Uint8Array(buffer);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
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
