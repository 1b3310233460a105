const host = globalThis.__k6RunnerHost;
const http = host.http();

function attempt(call) {
  try {
    return call();
  } catch (error) {
    throw new Error(host.messageOf(error));
  }
}

function cookiesOf(lines) {
  const cookies = {};
  for (const line of lines) {
    const [pair, ...attributes] = line.split(';');
    const at = pair.indexOf('=');
    if (at <= 0) {
      continue;
    }
    const cookie = {
      name: pair.substring(0, at).trim(),
      value: pair.substring(at + 1).trim(),
      domain: '',
      path: '',
      http_only: false,
      secure: false,
      max_age: 0,
      expires: 0,
    };
    for (const attribute of attributes) {
      const [name, ...rest] = attribute.trim().split('=');
      const value = rest.join('=');
      switch (name.toLowerCase()) {
        case 'domain':
          cookie.domain = value;
          break;
        case 'path':
          cookie.path = value;
          break;
        case 'httponly':
          cookie.http_only = true;
          break;
        case 'secure':
          cookie.secure = true;
          break;
        case 'max-age':
          cookie.max_age = Number(value);
          break;
        case 'expires':
          cookie.expires = Date.parse(value);
          break;
        default:
      }
    }
    (cookies[cookie.name] = cookies[cookie.name] || []).push(cookie);
  }
  return cookies;
}

// Fields are made when a script first asks for them: most scripts want three of them.
class Response {
  #native;
  #made = new Map();
  #parsed = undefined;

  constructor(native) {
    this.#native = native;
  }

  #make(name, maker) {
    if (!this.#made.has(name)) {
      this.#made.set(name, maker());
    }
    return this.#made.get(name);
  }

  #headers(names, value) {
    const headers = {};
    for (const name of names) {
      headers[name] = value(name);
    }
    return headers;
  }

  get status() {
    return this.#native.status();
  }

  get status_text() {
    return this.#native.statusText();
  }

  get proto() {
    return this.#native.proto();
  }

  get url() {
    return this.#native.url();
  }

  get remote_ip() {
    return this.#native.remoteIp();
  }

  get remote_port() {
    return this.#native.remotePort();
  }

  get error() {
    return this.#native.error();
  }

  get error_code() {
    return this.#native.errorCode();
  }

  get tls_version() {
    return this.#native.tlsVersion();
  }

  get tls_cipher_suite() {
    return this.#native.tlsCipherSuite();
  }

  get body() {
    return this.#make('body', () => {
      if (!this.#native.hasBody()) {
        return null;
      }
      return this.#native.isBinary() ? Uint8Array.from(this.#native.bodyBytes()).buffer : this.#native.bodyText();
    });
  }

  get headers() {
    return this.#make('headers', () =>
      this.#headers(this.#native.headerNames(), (name) => this.#native.header(name)),
    );
  }

  get cookies() {
    return this.#make('cookies', () => cookiesOf(this.#native.setCookies()));
  }

  get timings() {
    return this.#make('timings', () => ({
      duration: this.#native.duration(),
      blocked: this.#native.blocked(),
      looking_up: 0,
      connecting: this.#native.connecting(),
      tls_handshaking: this.#native.tlsHandshaking(),
      sending: this.#native.sending(),
      waiting: this.#native.waiting(),
      receiving: this.#native.receiving(),
    }));
  }

  get request() {
    return this.#make('request', () => ({
      method: this.#native.requestMethod(),
      url: this.#native.requestUrl(),
      headers: this.#headers(this.#native.requestHeaderNames(), (name) => [this.#native.requestHeader(name)]),
      body: this.#native.requestBody(),
      cookies: {},
    }));
  }

  json(selector) {
    if (this.body === null) {
      throw new Error(
        "the body is null so we can't transform it to JSON" +
          ' - this likely was because of a request error getting the response',
      );
    }
    if (selector !== undefined) {
      const found = attempt(() => this.#native.select(String(selector)));
      return found === null ? undefined : JSON.parse(found);
    }
    if (this.#parsed === undefined) {
      try {
        this.#parsed = JSON.parse(this.#native.bodyText());
      } catch (error) {
        throw new Error(`cannot parse json due to an error: ${error.message}`);
      }
    }
    return this.#parsed;
  }

  toJSON() {
    const plain = {};
    for (const name of [
      'remote_ip',
      'remote_port',
      'url',
      'status',
      'status_text',
      'proto',
      'headers',
      'cookies',
      'body',
      'timings',
      'tls_version',
      'tls_cipher_suite',
      'error',
      'error_code',
      'request',
    ]) {
      plain[name] = this[name];
    }
    return plain;
  }
}

export function request(method, url, body, params) {
  return new Response(attempt(() => http.request(String(method), url, body, params)));
}

const withBody = (method) => (url, body, params) => request(method, url, body, params);
const bodiless = (method) => (url, params) => request(method, url, undefined, params);

export const get = bodiless('GET');
export const head = bodiless('HEAD');
export const post = withBody('POST');
export const put = withBody('PUT');
export const patch = withBody('PATCH');
export const del = withBody('DELETE');
export const options = withBody('OPTIONS');

export async function asyncRequest(method, url, body, params) {
  return request(method, url, body, params);
}

function batchEntry(entry) {
  if (Array.isArray(entry)) {
    return entry.length === 1 ? ['GET', entry[0], undefined, undefined] : [entry[0], entry[1], entry[2], entry[3]];
  }
  if (typeof entry === 'object' && entry !== null && entry.url !== undefined) {
    return [entry.method === undefined ? 'GET' : entry.method, entry.url, entry.body, entry.params];
  }
  return ['GET', entry, undefined, undefined];
}

export function batch(requests) {
  if (typeof requests !== 'object' || requests === null) {
    throw new Error('http.batch() accepts only an array or an object of requests');
  }
  const names = Object.keys(requests);
  const prepared = http.newBatch();
  for (const name of names) {
    const [method, url, body, params] = batchEntry(requests[name]);
    attempt(() => prepared.add(String(method), url, body, params));
  }
  attempt(() => prepared.run());
  const responses = Array.isArray(requests) ? [] : {};
  names.forEach((name, index) => {
    responses[name] = new Response(prepared.response(index));
  });
  return responses;
}

class ExpectedStatuses {
  constructor(native) {
    this.native = native;
  }
}

export function expectedStatuses(...statuses) {
  if (statuses.length === 0) {
    throw new Error('no arguments');
  }
  const native = http.newExpectedStatuses();
  statuses.forEach((status, index) => {
    if (Number.isInteger(status)) {
      native.add(status, status);
    } else if (status && Number.isInteger(status.min) && Number.isInteger(status.max)) {
      native.add(status.min, status.max);
    } else {
      throw new Error(
        `argument number ${index + 1} to expectedStatuses was neither an integer` +
          ' nor an object like {min:100, max:329}',
      );
    }
  });
  return new ExpectedStatuses(native);
}

export function setResponseCallback(callback) {
  if (callback === null || callback === undefined) {
    http.setResponseCallback(null);
  } else if (callback instanceof ExpectedStatuses) {
    http.setResponseCallback(callback.native);
  } else {
    throw new Error('unsupported argument, expected http.expectedStatuses');
  }
}

// A tagged template: http.url`https://host/users/${id}` has the name tag https://host/users/${}.
export function url(parts, ...pieces) {
  let text = '';
  let name = '';
  parts.forEach((part, index) => {
    text += part;
    name += part;
    if (index < pieces.length) {
      text += pieces[index];
      name += '${}';
    }
  });
  return { url: text, name, toString: () => text };
}

class CookieJar {
  #native;

  constructor(native) {
    this.#native = native === undefined ? http.newCookieJar() : native;
  }

  get native() {
    return this.#native;
  }

  cookiesForURL(target) {
    const cookies = {};
    for (const pair of attempt(() => this.#native.cookies(String(target)))) {
      const at = pair.indexOf('=');
      const name = pair.substring(0, at);
      (cookies[name] = cookies[name] || []).push(pair.substring(at + 1));
    }
    return cookies;
  }

  set(target, name, value, attributes = {}) {
    let line = `${name}=${value}`;
    for (const [key, attribute] of Object.entries(attributes)) {
      const dashed = key === 'max_age' ? 'max-age' : key;
      if (typeof attribute !== 'boolean') {
        line += `; ${dashed}=${attribute}`;
      } else if (attribute) {
        line += `; ${dashed}`;
      }
    }
    attempt(() => this.#native.set(String(target), line));
    return true;
  }

  clear(target) {
    attempt(() => this.#native.clear(String(target)));
  }

  delete(target, name) {
    this.set(target, name, '', { max_age: -1, path: '/' });
  }
}

export function cookieJar() {
  host.requireVu('cookieJar()');
  return new CookieJar(http.cookieJar());
}

export { CookieJar };

export default {
  request,
  get,
  head,
  post,
  put,
  patch,
  del,
  options,
  asyncRequest,
  batch,
  expectedStatuses,
  setResponseCallback,
  url,
  cookieJar,
  CookieJar,
};
