const host = globalThis.__k6RunnerHost;
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

export function check(value, checks, tags) {
  if (checks === undefined || checks === null) {
    throw new Error('no checks provided to `check`');
  }
  host.requireVu('check()');
  let all = true;
  for (const name of Object.keys(checks)) {
    let outcome = checks[name];
    let thrown = false;
    let exception;
    if (typeof outcome === 'function') {
      if (outcome instanceof AsyncFunction) {
        throw new Error('the built-in check() does not support async functions as arguments.');
      }
      try {
        outcome = outcome(value);
      } catch (error) {
        outcome = false;
        thrown = true;
        exception = error;
      }
    }
    const passed = Boolean(outcome);
    all = all && passed;
    host.check(name, passed, tags);
    if (thrown) {
      throw exception;
    }
  }
  return all;
}

export function group(name, body) {
  if (typeof body !== 'function') {
    throw new Error('group() requires a callback as a second argument');
  }
  if (body instanceof AsyncFunction) {
    throw new Error('group() does not support async functions as arguments');
  }
  host.requireVu('group()');
  const outer = host.enterGroup(String(name));
  const start = host.nanoTime();
  try {
    return body();
  } finally {
    host.leaveGroup(outer, start);
  }
}

export function sleep(seconds) {
  host.sleep(Number(seconds));
}

export function fail(message) {
  throw new Error(message === undefined ? '' : String(message));
}

// Deterministic, but not the numbers that k6 draws.
export function randomSeed(seed) {
  let state = Math.trunc(seed) >>> 0;
  Math.random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export default { check, group, sleep, fail, randomSeed };
