// A scenario that takes the library's summary, but not its guard.
import { constantVus } from './lib.js';

export { handleSummary } from './lib.js';
export const options = constantVus();

export default function () {
  throw new Error('boom that nobody counts');
}
