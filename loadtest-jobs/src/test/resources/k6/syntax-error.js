export default function () { broken syntax
