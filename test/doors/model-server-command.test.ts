import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

const SCENARIO = 'examples/serve/greeting.toml';

interface Served {
  child: ChildProcess;
  output: () => string;
  ended: Promise<[code: number | null, signal: string | null]>;
}

async function serve(...args: string[]): Promise<Served> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', NO_COLOR: '1' };
  const child = spawn(process.execPath, [UNDERSTUDY, 'serve', '--scenario', SCENARIO, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const ended = new Promise<[number | null, string | null]>((resolve) =>
    child.once('close', (code, signal) => resolve([code, signal])),
  );
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk;
      if (args.includes('--json') ? output.endsWith('}\n') : output.includes('gemini')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
  });
  return { child, output: () => output, ended };
}

const ask = (url: string, key: string, content: string) =>
  fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
  });

it('prints one JSON document with the URL and what points each CLI at it', async () => {
  const scratch = createScratch('serve');
  onTestFinished(() => scratch.remove());
  const journal = join(scratch.path, 'journal.jsonl');
  const { child, output, ended } = await serve('--json', '--quiet', '--log', journal);
  const { url, key, pid, agents } = JSON.parse(output());
  expect(pid).toBe(child.pid);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(agents.claude.env.ANTHROPIC_BASE_URL).toBe(url);
  expect(JSON.parse(agents.opencode.env.OPENCODE_CONFIG_CONTENT).provider.understudy.options.baseURL).toBe(`${url}/v1`);
  expect(agents.codex.files['.codex/config.toml']).toContain(`base_url = "${url}/v1"`);
  expect(agents.gemini.env.GOOGLE_GEMINI_BASE_URL).toBe(url);
  expect(agents.claude.env.ANTHROPIC_API_KEY).toBe(key);
  expect(agents.gemini.env.GEMINI_API_KEY).toBe(key);
  expect((await ask(url, 'sk-not-the-key-of-it', 'hello')).status).toBe(401);
  expect((await ask(url, key, 'nobody wrote this')).status).toBe(418);
  child.kill('SIGTERM');
  expect(await ended).toEqual([1, null]);
  const [refused, entry] = readFileSync(journal, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(refused).toMatchObject({ number: 1, kind: 'refused', status: 401 });
  expect(entry).toMatchObject({
    number: 2,
    kind: 'unanswered',
    status: 418,
    prompt: 'nobody wrote this',
    headers: { 'x-api-key': '[redacted]' },
  });
  expect(JSON.stringify([refused, entry])).not.toMatch(new RegExp(`${key}|sk-not-the-key`));
});

it('listens for other machines where that is allowed, with the key that was given', async () => {
  const key = 'a-key-from-the-user';
  const { output } = await serve('--json', '--quiet', '--host', '0.0.0.0', '--allow-remote', '--key', key);
  const { port, key: told } = JSON.parse(output());
  expect(told).toBe(key);
  const url = `http://127.0.0.1:${port}`;
  expect((await ask(url, 'a-key-of-somebody-else', 'hello')).status).toBe(401);
  expect((await ask(url, key, 'nobody wrote this')).status).toBe(418);
});

it('ends on Ctrl-C with 130, and says what was not answered and not used', async () => {
  const { child, output, ended } = await serve();
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0] ?? '';
  const key = /ANTHROPIC_API_KEY=(\S+)/.exec(output())?.[1] ?? '';
  await ask(url, key, 'nobody wrote this');
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(output()).toContain('ANTHROPIC_BASE_URL=');
  expect(output()).toContain('unanswered: no rule of the scenario answers the prompt "nobody wrote this"');
  expect(output()).toContain('unused: responses[0]');
  await expect(ask(url, key, 'hello')).rejects.toThrow();
});

it('tells each request with its rule, plays a changed scenario, and can be steered with the token', async () => {
  const scratch = createScratch('serve');
  onTestFinished(() => scratch.remove());
  const scenario = join(scratch.path, 'a.toml');
  const rule = (answer: string) =>
    `[[responses]]\npattern = { type = "contains", text = "hi" }\nresponse = "${answer}"\n`;
  writeFileSync(scenario, rule('One.'));
  const readyFile = join(scratch.path, 'ready.json');
  const { child, output, ended } = await serve('--scenario', scenario, '--ready-file', readyFile);
  const { url, key, control, sdks } = JSON.parse(readFileSync(readyFile, 'utf8'));
  expect(sdks.env).toMatchObject({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key });
  expect(output()).toContain(`OPENAI_BASE_URL=${url}/v1`);
  const said = async (content: string) =>
    ((await (await ask(url, key, content)).json()) as { content?: { text: string }[] }).content?.[0]?.text;
  const steer = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${control.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${control.token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, ...((await answer.json()) as Record<string, unknown>) };
  };

  expect(await said('hi there')).toBe('One.');
  await expect.poll(output).toMatch(/^1 library "hi there" → responses\[0\] 200 \d+ ms$/m);
  writeFileSync(scenario, rule('Two.'));
  await expect.poll(output).toContain('reloaded');
  expect(await said('hi there')).toBe('Two.');
  writeFileSync(scenario, 'responses = 1\n');
  await expect.poll(output).toContain('the last good one is still played');
  expect(await said('hi there')).toBe('Two.');

  expect(await steer('GET', '/usage')).toMatchObject({ status: 200, requests: 3, unused: [], unanswered: [] });
  const { entries } = (await steer('GET', '/journal?kind=answer')) as { entries?: unknown };
  expect(entries).toMatchObject([{ prompt: 'hi there', rulePath: 'responses[0]' }, {}, {}]);
  expect(JSON.stringify(entries)).not.toContain(key);
  expect(await steer('POST', '/scenario', { default_response: 'Three.' })).toMatchObject({ status: 200, ok: true });
  expect(await said('anything')).toBe('Three.');
  expect(await steer('POST', '/scenario', { default_respons: 'x' })).toMatchObject({
    status: 400,
    error: { problems: [{ fix: 'Change it to `default_response`.' }] },
  });
  expect(await steer('POST', '/reset', {})).toMatchObject({ status: 200 });
  expect(await steer('GET', '/usage')).toMatchObject({ requests: 0 });
  expect(await steer('GET', '/secrets')).toMatchObject({ status: 404 });
  // Neither the API key nor a web page opens it.
  expect(await steer('GET', '/usage', undefined, { authorization: `Bearer ${key}` })).toMatchObject({ status: 401 });
  expect(await steer('GET', '/usage', undefined, { origin: 'http://evil.example' })).toMatchObject({ status: 403 });
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(existsSync(readyFile)).toBe(false);
});

it.each([
  [['--scenario', 'missing.toml'], 'missing.toml'],
  [['--scenario', SCENARIO, '--control-token', 'guess'], 'SECRET_TOO_WEAK'],
  [['--scenario', SCENARIO, '--port', '99999'], 'BAD_FLAG'],
  [['--scenario', SCENARIO, '--host', '203.0.113.7', '--allow-remote'], 'CANNOT_LISTEN'],
  [['--scenario', SCENARIO, '--host', '0.0.0.0'], 'LISTEN_REMOTE'],
  [['--scenario', SCENARIO, '--host', ''], 'LISTEN_REMOTE'],
  [['--scenario', SCENARIO, '--key', ''], 'SECRET_TOO_WEAK'],
  [['--scenario', SCENARIO, '--key', 'guess'], 'SECRET_TOO_WEAK'],
  [[], '--scenario'],
])('exits with 2 when it cannot start (%j)', async (args, said) => {
  const { code, stderr } = await runUnderstudy(['serve', ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(said);
});
