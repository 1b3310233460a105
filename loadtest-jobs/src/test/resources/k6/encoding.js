import { check } from 'k6';
import crypto from 'k6/crypto';
import { b64decode, b64encode } from 'k6/encoding';

export default function () {
  const bytes = b64decode('aGVsbG8=');
  const hasher = crypto.createHash('sha256');
  hasher.update('hel');
  hasher.update('lo');
  let refused = false;
  try {
    b64decode('aGVsbG8', 'std', 's');
  } catch (error) {
    refused = true;
  }
  check(null, {
    'an ArrayBuffer without format': bytes instanceof ArrayBuffer && bytes.byteLength === 5,
    'a string with s': b64decode('aGVsbG8=', 'std', 's') === 'hello',
    rawurl: b64decode('_-8', 'rawurl') instanceof ArrayBuffer && b64encode(b64decode('_-8', 'rawurl'), 'rawurl') === '_-8',
    'encodes text': b64encode('ä') === 'w6Q=',
    'encodes bytes': b64encode(bytes) === 'aGVsbG8=',
    'padding is required': refused,
    sha256: crypto.sha256('hello', 'hex') === '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    'of parts': hasher.digest('hex') === crypto.sha256('hello', 'hex'),
    hmac:
      crypto.hmac('sha256', 'key', 'hello', 'base64rawurl') === crypto.hmac('sha256', 'key', bytes, 'base64rawurl') &&
      crypto.hmac('sha256', 'key', 'hello', 'hex') === '9307b3b915efb5171ff14d8cb55fbcc798c6c0ef1456d66ded1a6aa723a58b7b',
    'random bytes': crypto.randomBytes(16).byteLength === 16,
  });
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
