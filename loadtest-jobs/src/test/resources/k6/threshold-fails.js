import { check } from 'k6';

export const options = { iterations: 1, thresholds: { checks: ['rate>0.9'], iterations: ['count>0'] } };

export default function () {
  check(null, { bad: false });
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
