export const options = { duration: '1s', scenarios: { a: { executor: 'constant-vus', vus: 1, duration: '1s' } } }; export default function () {}
