// The compact summary with more checks, and longer names, than a termination message can hold.
import { compact } from './lib.js';

export default function () {}

export function handleSummary() {
  const byName = [];
  for (let i = 0; i < 40; i += 1) {
    byName.push({ name: `check ${i} ${'ü'.repeat(Number(__ENV.NAME_LENGTH))}`, passes: 123456789, fails: 40 - i });
  }
  const summary = { v: 1, scenario: 'long', checks: { passes: 1, fails: 2, byName }, duration: null };
  return { [__ENV.SUMMARY]: compact(summary) };
}
