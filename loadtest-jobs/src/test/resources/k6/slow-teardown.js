export const options = { teardownTimeout: '300ms' };

export default function () {}

export function teardown() {
  for (;;) {}
}
