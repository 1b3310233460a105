import { check } from 'k6';

export default function () {
  check(null, { good: true, bad: false });
}
