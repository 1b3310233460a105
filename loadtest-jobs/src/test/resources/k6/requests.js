import http from 'k6/http';
import { check } from 'k6';

const target = __ENV.TARGET;

export default function () {
  const form = http.post(`${target}/describe`, { b: 'ä &', a: [1, true], n: null }).json();
  const put = http.put(`${target}/describe`, new Uint8Array([104, 105]).buffer, {
    headers: { 'x-Custom': 'one', 'Content-Type': 'text/plain' },
  }).json();
  const removed = http.del(`${target}/describe`).json();
  const head = http.head(`${target}/ok`);
  const followed = http.get(`${target}/redirect?to=/redirect?to=/ok`);
  const stopped = http.get(`${target}/redirect?to=/ok`, { redirects: 0 });
  const posted = http.post(`${target}/redirect?to=/describe`, { a: 1 }).json();
  const kept = http.post(`${target}/redirect?status=307&to=/describe`, { a: 1 }).json();
  const binary = http.get(`${target}/ok`, { responseType: 'binary' });
  const none = http.get(`${target}/ok`, { responseType: 'none' });
  const expected = http.get(`${target}/missing`, { responseCallback: http.expectedStatuses(404, { min: 500, max: 599 }) });
  const batch = http.batch([['GET', `${target}/ok`], { method: 'POST', url: `${target}/echo`, body: 'x' }, `${target}/ok`]);
  const named = http.batch({ one: `${target}/ok` });
  http.get(`${target}/set-cookie`);
  const cookies = http.get(`${target}/describe`, { cookies: { own: '1' } }).json();
  const chunked = http.get(`${target}/chunked`);
  const zipped = http.get(`${target}/gzip`);
  const late = http.get(`${target}/slow`, { timeout: '200ms' });
  const invalid = http.get('http://[::1');
  check(null, {
    'form is sorted and encoded': form.body === 'a=1&a=true&b=%C3%A4+%26&n=',
    'form has its type': form.headers['content-type'] === 'application/x-www-form-urlencoded',
    'bytes are sent': put.body === 'hi' && put.method === 'PUT' && put.headers['x-custom'] === 'one',
    'own content type': put.headers['content-type'] === 'text/plain',
    'del is DELETE': removed.method === 'DELETE' && removed.body === '',
    'HEAD has no body': head.status === 200 && head.body === '',
    'headers have canonical names': head.headers['Content-Type'] === 'text/plain',
    'redirects are followed': followed.status === 200 && followed.url === `${target}/ok` && followed.body === 'ok',
    'redirects: 0': stopped.status === 302 && stopped.headers.Location === '/ok',
    '302 turns POST into GET': posted.method === 'GET' && posted.body === '',
    '307 keeps POST': kept.method === 'POST' && kept.body === 'a=1',
    'binary body': binary.body instanceof ArrayBuffer && binary.body.byteLength === 2,
    'no body': none.body === null && none.status === 200,
    'expected status': expected.status === 404,
    batch: batch.length === 3 && batch[1].body === 'x' && named.one.body === 'ok',
    cookies: cookies.headers.cookie === 'own=1; session=abc',
    chunked: chunked.body === 'one two three',
    gzip: zipped.body === 'zipped',
    timeout: late.status === 0 && late.error_code === 1050,
    'invalid URL': invalid.status === 0 && invalid.error_code === 1020,
    'request is shown': stopped.request.method === 'GET' && stopped.proto === 'HTTP/1.1' && stopped.status_text.startsWith('302 '),
    'response as JSON': JSON.parse(JSON.stringify(stopped)).status === 302,
  });
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
