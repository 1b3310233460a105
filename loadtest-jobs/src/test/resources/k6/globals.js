// What k6's engine lacks must be missing here too.
import { check } from 'k6';

const missing = [
  'Intl', 'URL', 'URLSearchParams', 'fetch', 'performance', 'btoa', 'atob', 'structuredClone', 'queueMicrotask',
  'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry', 'Iterator', 'WebAssembly', 'Temporal',
  'Java', 'Polyglot', 'Graal', 'Packages', 'load', 'print', 'quit', 'process', 'Buffer', 'window', 'self',
  '__k6RunnerHost',
];

export default function () {
  const found = missing.filter((name) => globalThis[name] !== undefined);
  if (found.length > 0) {
    console.error(`found ${found.join(', ')}`);
  }
  check(null, {
    'no global too many': found.length === 0,
    'Object.groupBy': Object.groupBy === undefined,
    'Array.fromAsync': Array.fromAsync === undefined,
    'Promise.withResolvers': Promise.withResolvers === undefined,
    'Set methods': Set.prototype.union === undefined,
    'iterator helpers': [].values().map === undefined,
    'String isWellFormed': String.prototype.isWellFormed === undefined,
    'what there is': typeof Array.prototype.toSorted === 'function' && typeof Object.hasOwn === 'function',
    environment: __ENV.GIVEN === 'by flag' && typeof __VU === 'number' && typeof __ITER === 'number',
  });
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
