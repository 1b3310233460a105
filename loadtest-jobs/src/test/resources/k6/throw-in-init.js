throw new Error('boom in init'); export default function () {}
