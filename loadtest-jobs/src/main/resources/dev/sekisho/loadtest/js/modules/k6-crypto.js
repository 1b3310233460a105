const host = globalThis.__k6RunnerHost;
const bytes = host.bytes();

function attempt(call) {
  try {
    return call();
  } catch (error) {
    throw new Error(host.messageOf(error));
  }
}

function encoded(digest, encoding) {
  if (encoding === 'binary') {
    return Uint8Array.from(digest).buffer;
  }
  return attempt(() => bytes.encode(digest, String(encoding)));
}

const hashing = (algorithm) => (input, encoding) => encoded(attempt(() => bytes.hash(algorithm, input)), encoding);

export const md5 = hashing('md5');
export const sha1 = hashing('sha1');
export const sha256 = hashing('sha256');
export const sha384 = hashing('sha384');
export const sha512 = hashing('sha512');
export const sha512_224 = hashing('sha512_224');
export const sha512_256 = hashing('sha512_256');

export function hmac(algorithm, secret, data, encoding) {
  return encoded(attempt(() => bytes.hmac(String(algorithm), secret, data)), encoding);
}

class Hasher {
  #native;

  constructor(native) {
    this.#native = native;
  }

  update(input) {
    attempt(() => this.#native.update(input));
  }

  digest(encoding) {
    return encoded(this.#native.digest(), encoding);
  }
}

export function createHash(algorithm) {
  return new Hasher(attempt(() => bytes.newHash(String(algorithm))));
}

export function createHMAC(algorithm, secret) {
  return new Hasher(attempt(() => bytes.newHmac(String(algorithm), secret)));
}

export function hexEncode(data) {
  return attempt(() => bytes.hex(data));
}

export function randomBytes(size) {
  if (!Number.isInteger(size) || size < 1) {
    throw new Error('invalid size');
  }
  return Uint8Array.from(host.randomBytes(size)).buffer;
}

export default {
  md5,
  sha1,
  sha256,
  sha384,
  sha512,
  sha512_224,
  sha512_256,
  hmac,
  createHash,
  createHMAC,
  hexEncode,
  randomBytes,
};
