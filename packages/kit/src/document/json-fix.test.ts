import { expect, it } from 'vitest';
import { inJson } from './json-fix.js';

it.each([
  ['Add `response = "…"`.', 'Add `"response": "…"`.'],
  ['Add `after_ms = 1000`, or `pattern = …`.', 'Add `"after_ms": 1000`, or `"pattern": …`.'],
  ['Add `[[responses]]` with a pattern.', 'Add `"responses": [{ … }]` with a pattern.'],
  ['For example `{ type = "cli", git = true }`.', 'For example `{ "type": "cli", "git": true }`.'],
  ['Change it to `tools`.', 'Change it to `tools`.'],
  ['`$file` must be a path', '`$file` must be a path'],
])('writes %j in JSON', (toml, json) => {
  expect(inJson(toml)).toBe(json);
});
