import exec from 'k6/execution';

export const options = { iterations: 2, thresholds: { iterations: ['count>100'] } };

export default function () {
  exec.test.fail('not good');
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
