export function setup() {
  throw new Error('boom in setup');
}

export default function () {}

export function teardown() {
  console.log('teardown ran');
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
