import http from 'k6/http';
import { check } from 'k6';

export default function () {
  const good = http.post(`${__ENV.TARGET}/echo`, '{"keys":[{"kid":"a","use":"sig"},{"kid":"b","use":"enc"}],"n":1.5,"x.y":null}');
  const bad = http.post(`${__ENV.TARGET}/echo`, '{"keys": nonsense');
  let message = '';
  try {
    bad.json();
  } catch (error) {
    message = error.message;
  }
  check(null, {
    whole: good.json().keys[1].kid === 'b',
    path: good.json('keys.0.kid') === 'a',
    each: JSON.stringify(good.json('keys.#.kid')) === '["a","b"]',
    count: good.json('keys.#') === 2,
    query: good.json('keys.#(use=="enc").kid') === 'b',
    queries: JSON.stringify(good.json('keys.#(use!="x")#.kid')) === '["a","b"]',
    wildcard: good.json('k*.0.kid') === 'a',
    number: good.json('n') === 1.5,
    'escaped dot, null': good.json('x\\.y') === null,
    missing: good.json('keys.7') === undefined,
    'invalid JSON throws': message.startsWith('cannot parse json due to an error'),
    'path into invalid JSON': bad.json('keys') === undefined,
  });
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
