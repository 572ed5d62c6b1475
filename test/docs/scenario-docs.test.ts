import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runUnderstudy } from '../helpers/understudy.js';

const scratch = mkdtempSync(join(tmpdir(), 'understudy-docs-'));
afterAll(() => rmSync(scratch, { recursive: true }));

interface Story {
  scenario: string;
  transcripts: string[];
}

/** The TOML snippets of a page, each with the transcripts that follow it. */
function stories(page: string): Story[] {
  const found: Story[] = [];
  for (const [, language, body] of readFileSync(page, 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (language === 'toml') found.push({ scenario: body ?? '', transcripts: [] });
    else if (language === 'text') found.at(-1)?.transcripts.push(body ?? '');
  }
  return found;
}

const promptsOf = (transcript: string) =>
  [...transcript.matchAll(/^> (.*)$/gm)].map((match) => `${match[1]}\n`).join('');

async function play(file: string, transcript: string): Promise<string> {
  const { stdout } = await runUnderstudy(['play', file], { input: promptsOf(transcript) });
  return stdout.replace(/^unused .*\n/gm, '');
}

describe('docs/scenarios.md', () => {
  const found = stories('docs/scenarios.md');

  it('has snippets and transcripts', () => {
    expect(found.length).toBeGreaterThan(10);
    expect(found.flatMap((story) => story.transcripts).length).toBeGreaterThan(10);
  });

  for (const [index, { scenario, transcripts }] of found.entries()) {
    it(`snippet ${index + 1} loads and plays as written: ${scenario.split('\n')[0]}`, async () => {
      const file = join(scratch, `snippet-${index}.toml`);
      writeFileSync(file, scenario);
      expect(await runUnderstudy(['check', '--strict', file])).toMatchObject({ code: 0 });
      for (const transcript of transcripts) expect(await play(file, transcript)).toBe(transcript);
    });
  }
});

describe('examples/scenarios', () => {
  const folder = 'examples/scenarios';
  const scenarios = readdirSync(folder).filter((name) => /\.(toml|json)$/.test(name));

  for (const name of scenarios) {
    it(`${name} is valid and plays as its transcript says`, async () => {
      const file = join(folder, name);
      expect(await runUnderstudy(['check', '--strict', file])).toMatchObject({ code: 0 });
      const transcript = readFileSync(file.replace(/\.\w+$/, '.transcript.txt'), 'utf8');
      expect(await play(file, transcript)).toBe(transcript);
    });
  }
});
