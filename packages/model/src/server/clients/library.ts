import type { Client } from './client.js';

/** Any program: what it says in the user's role is what the user said. */
export const library: Client = {
  name: 'library',
  recognizes: () => true,
  identify: () => ({}),
  authored(texts) {
    const text = texts.join('\n').trim();
    return text === '' ? [] : [{ text }];
  },
  workingFolder: () => undefined,
  reportsFailure: () => false,
  promptBehind: (texts, { sameEntry }) => (sameEntry ? undefined : library.authored(texts).at(-1)),
};
