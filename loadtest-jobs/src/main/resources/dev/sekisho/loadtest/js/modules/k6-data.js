const host = globalThis.__k6RunnerHost;

// Made once, kept as JSON outside of the virtual users, and parsed per element.
export class SharedArray {
  constructor(name, maker) {
    const shared = host.sharedArray(String(name), () => {
      const made = maker();
      if (!Array.isArray(made)) {
        throw new Error('only arrays can be made into SharedArray');
      }
      return made.map((element) => JSON.stringify(element));
    });
    const length = shared.length;
    return new Proxy([], {
      get: (target, key) => {
        if (key === 'length') {
          return length;
        }
        if (typeof key === 'string' && /^[0-9]+$/.test(key)) {
          return Number(key) < length ? JSON.parse(shared[Number(key)]) : undefined;
        }
        return Reflect.get(target, key);
      },
      has: (target, key) => (typeof key === 'string' && /^[0-9]+$/.test(key) ? Number(key) < length : key in target),
      set: () => {
        throw new TypeError('SharedArray is immutable');
      },
    });
  }
}

export default { SharedArray };
