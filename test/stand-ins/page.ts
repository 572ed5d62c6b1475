import { readFileSync } from 'node:fs';
import { border as claude } from '../../packages/stand-ins/src/claude/border.js';
import { border as codex } from '../../packages/stand-ins/src/codex/border.js';
import { border as gemini } from '../../packages/stand-ins/src/gemini/border.js';
import { border as opencode } from '../../packages/stand-ins/src/opencode/border.js';
import type { Border, CapabilityKind } from '../../packages/stand-ins/src/shared/border.js';

export const borders: readonly Border[] = [claude, codex, gemini, opencode];

const KINDS: Record<CapabilityKind, string> = {
  flag: 'Flags',
  subcommand: 'Subcommands',
  tool: 'Tools',
  'hook event': 'Hook events',
  'hook type': 'Hook types',
  'control request': 'Control requests',
  setting: 'Settings',
};

/** docs/stand-ins.md with the tables of today. */
export function standInsPage(): string {
  const page = readFileSync(new URL('../../docs/stand-ins.md', import.meta.url), 'utf8');
  return page.replace(
    /(<!-- border -->\n)[\s\S]*(<!-- \/border -->)/,
    (_, from: string, to: string) => `${from}${borders.map(section).join('\n')}\n${to}`,
  );
}

function section({ cli, names, sentences }: Border): string {
  return [
    `### ${cli}`,
    ...Object.entries(KINDS).flatMap(([kind, title]) => {
      const { played = [], ignored = [], refused = [] } = names[kind as CapabilityKind] ?? {};
      const lines = [
        line('played', played),
        line('taken, without an effect in a rehearsal', ignored),
        line('refused', refused),
      ].flat();
      return lines.length === 0 ? [] : ['', `**${title}**`, '', ...lines];
    }),
    '',
    '**Also refused**, in the words of the check:',
    '',
    ...sentences.map((sentence) => `- ${sentence}`),
    '',
  ].join('\n');
}

function line(side: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`- ${side}: ${names.map((name) => `\`${name}\``).join(', ')}`];
}
