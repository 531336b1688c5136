// A model in the fragment of a link: deflated, in base64 for URLs.
const PREFIX = '#model=', MOST = 64e6; // bytes: a link of some letters can be gigabytes

async function through(bytes, stream) {
  const chunks = [], reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    size += next.value.length;
    if (size > MOST) {
      reader.cancel();
      throw new Error('it is too large');
    }
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
export async function to_fragment(text, name, encoding) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify({ name, text, ...(encoding === 'utf-8' ? {} : { encoding }) })), new CompressionStream('deflate-raw'));
  let chars = '';
  for (let i = 0; i < bytes.length; i += 8192) chars += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return PREFIX + btoa(chars).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
export async function from_fragment(hash) {
  if (!hash.startsWith(PREFIX)) return null;
  const packed = Uint8Array.from(atob(hash.slice(PREFIX.length).replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
  const { text, name, encoding } = JSON.parse(new TextDecoder().decode(await through(packed, new DecompressionStream('deflate-raw'))));
  if (typeof text !== 'string') throw new Error('no model in the link');
  return { text, name: typeof name === 'string' ? name : 'shared.xml', encoding: typeof encoding === 'string' ? encoding : 'utf-8' };
}
