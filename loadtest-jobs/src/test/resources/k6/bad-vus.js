export const options = { vus: 'many', duration: '1s' }; export default function () {}
