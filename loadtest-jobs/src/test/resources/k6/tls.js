import http from 'k6/http';

export default function () {
  const response = http.get(`${__ENV.TARGET}/ok`);
  console.log(`status=${response.status} code=${response.error_code} tls=${response.tls_version} error=${response.error}`);
}
