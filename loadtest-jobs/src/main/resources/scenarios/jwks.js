// Every iteration: a tenant's key set, as resource servers fetch it.
import { check } from 'k6';
import { constantVus, iteration, jwks, jwksChecks, tenant } from './lib.js';

export { setup, handleSummary } from './lib.js';
export const options = constantVus();

export default iteration(() => {
  const response = jwks(tenant());
  check(response, jwksChecks(response));
});
