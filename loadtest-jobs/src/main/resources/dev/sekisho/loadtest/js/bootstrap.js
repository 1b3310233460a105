// Evaluated first in each virtual user's context: hides what k6's engine lacks and adds what it has beyond the
// language. The modules find `host` under a name that is removed again once they are loaded.
(function (host, allowed, environment, hostName) {
  'use strict';

  const keptOnFunctions = ['length', 'name', 'prototype', 'caller', 'callee', 'arguments', 'constructor'];
  const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));

  // Lists what to hide, as [where, owner, member].
  function findHidden() {
    const hidden = [];
    const collect = (where, owner, object, kept) => {
      for (const name of Object.getOwnPropertyNames(object)) {
        if (!kept.includes(name) && !keptOnFunctions.includes(name)) {
          hidden.push([where, owner, name].join(' '));
        }
      }
    };
    collect('iterator', '-', iteratorPrototype, []);
    const lines = new Map();
    for (const line of allowed.split('\n')) {
      if (line !== '' && !line.startsWith('#')) {
        const [name, ...members] = line.split(' ');
        lines.set(name, members);
      }
    }
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      const members = lines.get(name);
      if (members === undefined) {
        hidden.push(['global', '-', name].join(' '));
        continue;
      }
      const value = globalThis[name];
      if (value !== globalThis && (typeof value === 'function' || (typeof value === 'object' && value !== null))) {
        collect('static', name, value, members);
        if (typeof value === 'function' && value.prototype) {
          const own = members.filter((member) => member.startsWith('#')).map((member) => member.substring(1));
          collect('prototype', name, value.prototype, own);
        }
      }
    }
    return hidden;
  }

  // What is missing is the same in every context, so only the first of a run looks for it.
  let hidden = host.hidden();
  if (hidden === null) {
    hidden = findHidden();
    host.rememberHidden(hidden);
  }
  const places = {
    iterator: () => iteratorPrototype,
    global: () => globalThis,
    static: (owner) => globalThis[owner],
    prototype: (owner) => globalThis[owner].prototype,
  };
  for (const entry of hidden) {
    const [where, owner, member] = entry.split(' ');
    Reflect.deleteProperty(places[where](owner), member);
  }

  function define(name, value) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  }

  const env = {};
  for (const name of environment.names()) {
    env[name] = environment.value(name);
  }
  define('__ENV', env);
  define('__VU', host.id());
  define('global', globalThis);

  function format(value) {
    if (typeof value === 'string') {
      return value;
    }
    if (value instanceof Error) {
      return value.stack === undefined ? String(value) : value.stack;
    }
    if (typeof value === 'object' && value !== null) {
      try {
        const json = JSON.stringify(value);
        return json === undefined ? String(value) : json;
      } catch (error) {
        return String(value);
      }
    }
    return String(value);
  }

  const log = (level) => (...values) => host.log(level, values.map(format).join(' '));
  define('console', {
    log: log('info'),
    info: log('info'),
    warn: log('warning'),
    error: log('error'),
    debug: log('debug'),
  });

  define('open', (path, mode) => {
    const bytes = mode === 'b';
    let content;
    try {
      content = bytes ? host.openBytes(String(path)) : host.openText(String(path));
    } catch (error) {
      throw new Error(host.messageOf(error));
    }
    return bytes ? Uint8Array.from(content).buffer : content;
  });

  define('crypto', {
    randomUUID: () => host.randomUuid(),
    getRandomValues: (array) => {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      bytes.set(Uint8Array.from(host.randomBytes(bytes.length)));
      return array;
    },
  });

  define(hostName, host);

  return {
    // Calls a function of the script. A promise is handed to settled(fulfilled, value).
    invoke(fn, argument, settled) {
      const result = fn(argument);
      if (result instanceof Promise) {
        result.then(
          (value) => settled(true, value),
          (error) => settled(false, error),
        );
        return undefined;
      }
      return result;
    },
    parse: (json) => JSON.parse(json),
    stringify: (value) => JSON.stringify(value),
    describe: (error) => (error instanceof Error && error.stack ? error.stack : String(error)),
    modulesLoaded: () => {
      delete globalThis[hostName];
    },
    setEnvironment: (name, value) => {
      env[name] = value;
    },
    keys: (object) => Object.keys(object),
    isBytes: (value) => value instanceof ArrayBuffer || ArrayBuffer.isView(value),
    byteArray: (value) =>
      value instanceof ArrayBuffer
        ? new Uint8Array(value)
        : new Uint8Array(value.buffer, value.byteOffset, value.byteLength),
  };
});
