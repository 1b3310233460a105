// Exercises most of what scripts use; the test knows the exact counts.
import http from 'k6/http';
import { check, group } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';

const trend = new Trend('my_trend', true);
const counter = new Counter('my_counter');
const gauge = new Gauge('my_gauge');
const rate = new Rate('my_rate');
const shared = new SharedArray('shared', () => [{ a: 1 }, { a: 2 }]);

export const options = {
  scenarios: {
    first: { executor: 'shared-iterations', vus: 2, iterations: 4, env: { WHO: 'first' }, tags: { kind: 'x' } },
    second: { executor: 'per-vu-iterations', vus: 2, iterations: 3, exec: 'other', env: { WHO: 'second' } },
  },
  thresholds: {
    my_counter: ['count==8'],
    'my_trend{who:first}': ['avg==10', 'max<=10'],
    'http_reqs{scenario:first}': ['count==4'],
    'http_reqs{scenario:second}': ['count==6'],
    'http_reqs{kind:x,name:named}': ['count==4'],
    'http_reqs{group:::setup}': ['count==1'],
    'http_reqs{status:404}': ['count==6'],
    'http_req_failed{scenario:second}': ['rate==1'],
    'checks{check:always fails}': ['rate==0'],
  },
};

export function setup() {
  http.get(`${__ENV.TARGET}/ok`);
  return { list: [1, 2, { text: 'ä' }] };
}

export default function (data) {
  const response = http.get(http.url`${__ENV.TARGET}/ok?i=${__ITER}`, { tags: { name: 'named' } });
  trend.add(10, { who: __ENV.WHO });
  counter.add(2);
  gauge.add(7);
  rate.add(true);
  const result = group('outer', () =>
    group('inner', () =>
      check(response, {
        'status is 200': (r) => r.status === 200,
        'setup data came through JSON': () => data.list[2].text === 'ä' && data.list.length === 3,
        'shared array': () => shared.length === 2 && shared[1].a === 2 && shared[2] === undefined,
      }),
    ),
  );
  check(result, { 'group returns its value': (value) => value === true });
  check(null, { 'always fails': false });
  check(exec, {
    'scenario is known': (e) => e.scenario.name === 'first' && e.scenario.executor === 'shared-iterations',
    'iteration is known': (e) => e.scenario.iterationInTest >= 0 && e.scenario.iterationInTest < 4,
    'VU is known': (e) => e.vu.idInTest === __VU && e.vu.iterationInInstance === __ITER && __VU > 0,
    'tags are there': (e) => e.vu.tags.scenario === 'first' && e.vu.tags.kind === 'x',
  });
}

export function other() {
  const response = http.get(`${__ENV.TARGET}/missing`);
  check(response, {
    'second: status is 404': response.status === 404,
    'second: error code': response.error_code === 1404 && response.error === '',
    'second: environment': __ENV.WHO === 'second',
  });
}

export function teardown(data) {
  if (data.list[0] !== 1) {
    throw new Error('teardown got no data');
  }
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
