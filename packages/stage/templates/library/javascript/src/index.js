export { format, parse } from './durations.js';
