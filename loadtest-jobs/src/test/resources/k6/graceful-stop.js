// One virtual user is still at it when time and graceful stop are over; its iteration does not count.
import { sleep } from 'k6';

export const options = {
  scenarios: { one: { executor: 'constant-vus', vus: 2, duration: '1s', gracefulStop: '500ms' } },
};

export default function () {
  sleep(__VU === 1 ? 1.2 : 30);
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
