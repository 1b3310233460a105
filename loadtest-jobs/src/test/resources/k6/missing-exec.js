export const options = { scenarios: { a: { executor: 'constant-vus', vus: 1, duration: '1s', exec: 'nope' } } }; export default function () {}
