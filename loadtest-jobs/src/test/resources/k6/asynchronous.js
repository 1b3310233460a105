import http from 'k6/http';
import { check } from 'k6';

export const options = { iterations: 2 };

export async function setup() {
  return { from: await Promise.resolve('setup') };
}

export default async function (data) {
  const response = await http.asyncRequest('GET', `${__ENV.TARGET}/ok`);
  check(response, { 'status is 200': (r) => r.status === 200, 'data is there': () => data.from === 'setup' });
  if (__ITER === 1) {
    throw new Error('rejected');
  }
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
