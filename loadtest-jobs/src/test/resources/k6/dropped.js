import { sleep } from 'k6';

export const options = {
  scenarios: { one: { executor: 'shared-iterations', vus: 2, iterations: 20, maxDuration: '1s', gracefulStop: '5s' } },
};

export default function () {
  sleep(0.8);
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
