import { SESSION_MODES } from '../modes.js';
import { expected, kindOf, list, object, oneOf, optional, type Shape, text } from '../shapes.js';

const destination = oneOf('userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg');
const BEHAVIORS = ['allow', 'deny', 'ask'];
const rules = object({
  rules: list(object({ toolName: text(), ruleContent: optional(text()) })),
  behavior: (value, path) =>
    BEHAVIORS.includes(value as string) ? [] : [{ path, message: expected(BEHAVIORS), isOtherKind: true }],
  destination,
});
const folders = object({ directories: list(text()), destination });
const mode = oneOf(...SESSION_MODES);
const UPDATES: Record<string, Shape> = {
  addRules: rules,
  replaceRules: rules,
  removeRules: rules,
  // `manual` is another name of `default`, which the message does not mention.
  setMode: object({ mode: (value, path) => (value === 'manual' ? [] : mode(value, path)), destination }),
  addDirectories: folders,
  removeDirectories: folders,
};
const kindsOfUpdates = Object.keys(UPDATES).map((name) => `'${name}'`);
const update = kindOf('type', UPDATES, `Invalid discriminator value. Expected ${kindsOfUpdates.join(' | ')}`);

/** The changes of the permissions that a hook or a host may give with its answer. */
export const PERMISSION_UPDATES = list(update);
