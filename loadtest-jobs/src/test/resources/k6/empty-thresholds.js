// Traps of k6: what has no samples passes.
import { Counter, Rate, Trend } from 'k6/metrics';

new Rate('never_rate');
new Trend('never_trend');
new Counter('never_counter');

export const options = {
  iterations: 1,
  thresholds: {
    never_rate: ['rate>0.9'],
    never_trend: ['p(95)<1'],
    never_counter: ['count<1'],
    'checks{check:no such check}': ['rate>0.9'],
    'http_req_duration{name:nobody}': ['p(99)<1'],
  },
};

export default function () {}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
