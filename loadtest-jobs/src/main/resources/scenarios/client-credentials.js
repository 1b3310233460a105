// Every iteration: one access token by the client_credentials grant.
import { check } from 'k6';
import { constantVus, iteration, tenant, token, tokenChecks } from './lib.js';

export { setup, handleSummary } from './lib.js';
export const options = constantVus();

export default iteration(() => {
  const response = token(tenant());
  check(response, tokenChecks(response));
});
