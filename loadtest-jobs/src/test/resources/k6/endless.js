import { sleep } from 'k6';

export const options = { vus: 2, duration: '10m' };

export default function () {
  console.log('iteration');
  sleep(0.1);
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
