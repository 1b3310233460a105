export default function () {}

export function teardown() {
  throw new Error('boom in teardown');
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
