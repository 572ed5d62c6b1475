/** What a loader gets that cannot `require` ES modules, such as Jest's. Node itself can. */
throw new Error(
  'agent-understudy is an ES module, and this loader cannot require() one. Use `import` in a file that is an ES module ' +
    '(.mjs, or "type": "module" in package.json), or `await import(\'agent-understudy\')`; Jest then needs --experimental-vm-modules.',
);

export {};
