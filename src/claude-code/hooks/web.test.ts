import { describe, expect, it } from 'vitest';
import type { Hook } from './hook.js';
import { fillHeaders, webRefusal, webRun } from './web.js';

const url = 'http://127.0.0.1:1/check?a=1';
const hook: Hook = { event: 'PreToolUse', matcher: '', source: 'userSettings', run: { type: 'http', url } };

describe('a hook that asks a server', () => {
  it.each([
    [undefined, true],
    [[], false],
    [['http://127.0.0.1:1/*'], true],
    [['*'], true],
    [[url], true],
    [['http://127.0.0.1:1/check'], false],
    [['http://127.0.0.1:1/check.a=1'], false],
    [['https://example.com/*', 'http://127*'], true],
  ])('may do so where the settings allow %j: %s', (allowedHttpHookUrls, isAllowed) => {
    const settings = allowedHttpHookUrls === undefined ? {} : { allowedHttpHookUrls };
    expect(webRefusal(url, settings) === undefined).toBe(isAllowed);
  });

  it('sends the variables that it names, of which the settings allow, and no second header', () => {
    const headers = { a: 'Bearer $TOKEN', b: `\${OTHER}-\${TOKEN}-$NONE`, c: `$TOKEN\r\nx: y`, d: 'costs 5$' };
    const filled = (settings: Record<string, unknown>) =>
      fillHeaders(
        { type: 'http', url, headers, allowedEnvVars: ['TOKEN', 'NONE'] },
        { TOKEN: 't', OTHER: 'o' },
        settings,
      );
    expect(filled({})).toEqual({ a: 'Bearer t', b: '-t-', c: 'tx: y', d: 'costs 5$' });
    expect(filled({ httpHookAllowedEnvVars: ['OTHER'] })).toMatchObject({ a: 'Bearer ', b: '--' });
  });

  it.each([
    [
      { status: 200, body: '' },
      { outcome: 'success', stdout: '', exitCode: 200 },
    ],
    [
      { status: 204, body: ' \n' },
      { outcome: 'success', exitCode: 204 },
    ],
    [
      { status: 200, body: '{"decision":"block"}' },
      { outcome: 'success', stdout: '{"decision":"block"}' },
    ],
    [
      { status: 200, body: 'no' },
      { outcome: 'error', stdout: 'no', stderr: /must return JSON, .* body: no$/ },
    ],
    [
      { status: 200, body: '[]' },
      { outcome: 'error', stderr: /must return JSON/ },
    ],
    [
      { status: 200, body: '{"continue":1}' },
      { outcome: 'error', stderr: /validation failed — continue/ },
    ],
    [
      { status: 404, body: '{"decision":"block"}' },
      { outcome: 'error', stdout: '', stderr: /^HTTP 404 from http:/ },
    ],
    [{ failure: 'connect ECONNREFUSED' }, { outcome: 'error', exitCode: 0, stderr: 'connect ECONNREFUSED' }],
  ])('ends as its server does: %j', (end, { stderr, ...run }: { stderr?: RegExp | string; outcome: string }) => {
    const told = webRun(hook, end);
    expect(told).toMatchObject(run);
    if (stderr !== undefined) expect(told.stderr).toMatch(stderr);
    expect(told.hasWrongOutput).toBe(run.outcome === 'error' ? true : undefined);
  });
});
