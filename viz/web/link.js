// The link that carries all that the page shows: the part of the address behind '#', which no
// server sees. "1" and deflated JSON, or "0" and plain JSON, in the alphabet of base64url.
'use strict';

function toBase64(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

function fromBase64(text) {
  const raw = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(raw, (c) => c.charCodeAt(0));
}

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream))
    .arrayBuffer());
}

async function packLink(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  try {
    return '#1' + toBase64(await through(bytes, new CompressionStream('deflate-raw')));
  } catch (error) { // a browser without compression
    return '#0' + toBase64(bytes);
  }
}

// Returns what a link carries; null if it carries nothing that can be read.
async function unpackLink(hash) {
  if (!/^#[01]./.test(hash)) return null;
  try {
    let bytes = fromBase64(hash.slice(2));
    if (hash[1] === '1') bytes = await through(bytes, new DecompressionStream('deflate-raw'));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    return null;
  }
}
