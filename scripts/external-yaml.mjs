/** For bundles: what is loaded on demand, by its name, is in them the name of a file beside them. */
export const externalYaml = {
  name: 'external-yaml',
  transform: (code) =>
    code.includes("lazyRequire('yaml')") ? code.replaceAll("lazyRequire('yaml')", "lazyRequire('./yaml.cjs')") : null,
};
