const host = globalThis.__k6RunnerHost;
const bytes = host.bytes();

function attempt(call) {
  try {
    return call();
  } catch (error) {
    throw new Error(host.messageOf(error));
  }
}

export function b64encode(input, encoding) {
  return attempt(() => bytes.base64(input, encoding === undefined ? 'std' : String(encoding)));
}

export function b64decode(input, encoding, format) {
  const variant = encoding === undefined ? 'std' : String(encoding);
  if (format === 's') {
    return attempt(() => bytes.fromBase64ToText(String(input), variant));
  }
  return Uint8Array.from(attempt(() => bytes.fromBase64(String(input), variant))).buffer;
}

export default { b64encode, b64decode };
