export const options = { thresholds: { http_reqs: ['p(95)<1'] } }; export default function () {}
