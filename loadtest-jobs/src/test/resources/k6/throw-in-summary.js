export default function () {}

export function handleSummary(data) {
  const text = JSON.stringify(data);
  if (text.length > 0) {
    throw new Error('boom in summary');
  }
  return { [__ENV.SUMMARY]: text };
}
