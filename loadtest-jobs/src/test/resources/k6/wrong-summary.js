export default function () {}

export function handleSummary() {
  return 'text';
}
