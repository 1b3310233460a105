import exec from 'k6/execution';
import { sleep } from 'k6';

export const options = { vus: 3, duration: '60s' };

export default function () {
  if (exec.vu.idInTest === 1 && __ITER === 2) {
    try {
      exec.test.abort('enough');
    } catch (error) {
      console.log('abort can be caught');
    }
    console.log('the script went on');
  }
  sleep(0.02);
}

export function teardown() {
  console.log('teardown ran');
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
