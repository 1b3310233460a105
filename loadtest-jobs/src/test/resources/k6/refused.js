// A refused connection: no exception, status 0, no body, code 1212.
import http from 'k6/http';
import { check } from 'k6';

export const options = { iterations: 2 };

export default function () {
  const response = http.get(`${__ENV.CLOSED}/`, { tags: { name: 'refused' } });
  let message = '';
  try {
    response.json();
  } catch (error) {
    message = error.message;
  }
  check(response, {
    'status is 0': response.status === 0,
    'body is null': response.body === null,
    'code is 1212': response.error_code === 1212,
    'error is in words': response.error === 'dial: connection refused',
    'json throws': message.includes('the body is null'),
    'timings are 0': response.timings.duration === 0 && response.timings.receiving === 0,
  });
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
