export const options = { iterations: 3 };

export default function () {
  throw new Error('boom in iteration');
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
