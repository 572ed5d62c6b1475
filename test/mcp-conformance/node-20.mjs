// The suite imports globSync from fs, which Node has from 22 on; what we run of it never calls it.
// `node --import ./node-20.mjs` gives it one to import.
import * as fs from 'node:fs';
import { register } from 'node:module';

const asModule = (source) => `data:text/javascript,${encodeURIComponent(source)}`;

if (fs.globSync === undefined) {
  const withGlob = asModule(`
    export * from 'node:fs';
    export { default } from 'node:fs';
    export const globSync = () => { throw new Error('there is no globSync before Node 22'); };`);
  register(
    asModule(`
    export const resolve = (specifier, context, next) =>
      specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
        ? { url: ${JSON.stringify(withGlob)}, shortCircuit: true }
        : next(specifier, context);`),
  );
}
