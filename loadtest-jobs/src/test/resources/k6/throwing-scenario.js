// A scenario of the library whose iterations throw.
import { constantVus, iteration } from './lib.js';

export { handleSummary } from './lib.js';
export const options = constantVus();

export default iteration(() => {
  throw new Error('boom in scenario');
});
