// One file instead of seventy: what bundles load for `lazyRequire('yaml')` (see tsdown.config.ts).
export { isMap, isScalar, isSeq, LineCounter, parse, parseDocument, stringify, visit } from 'yaml';
