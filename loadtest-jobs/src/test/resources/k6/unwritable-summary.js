export default function () {}

export function handleSummary() {
  return { '/no/such/folder/summary.json': 'text', stdout: 'to stdout\n', stderr: 'to stderr\n' };
}
