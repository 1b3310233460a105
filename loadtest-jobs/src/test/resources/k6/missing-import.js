import './nowhere.js'; export default function () {}
