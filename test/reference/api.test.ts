import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { type ApiMember, extractApi } from './api.js';
import { cell, code, page, table } from './page.js';

const INTRODUCTION = `Everything that the package exports, by the name that is imported. A long type is cut; the folder \`api\` of the repository
has it whole, for reviews.`;

const scratch = createScratch('api');
afterAll(() => scratch.remove());

const api = extractApi(scratch.path);

it.each(api.map(({ entry, report }) => [entry, report]))(
  'is the committed report of %s: a change of it changes what others rely on (npm run reference writes it again)',
  async (entry, report) => {
    const file = `../../api/${entry?.replaceAll('/', '-')}.api.md`;
    await expect(report).toMatchFileSnapshot(file);
  },
);

it('looks at each entry that has types', () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, { types?: string }>;
  };
  const typed = Object.entries(exports).flatMap(([name, { types }]) => (types === undefined ? [] : [name]));
  // It exports nothing: it is for vitest's `globalSetup`.
  const named = typed.filter((name) => name !== './vitest/setup').map((name) => name.replace('.', 'agent-understudy'));
  expect(api.map(({ entry }) => entry)).toEqual(named);
});

it('is the committed page of the API (npm run reference writes it again)', async () => {
  const [{ exports: first = [] } = {}] = api;
  const told = new Set(first.map(identity));
  const sections = api.map(({ entry, exports: all }, index) => {
    const again = index === 0 ? [] : all.filter((member) => told.has(identity(member)));
    const exports = all.filter((member) => !again.includes(member));
    const names = again.map(({ name = '' }) => code(name)).join(', ');
    const also = again.length === 0 ? '' : `As in \`agent-understudy\`: ${names}.\n\n`;
    const kinds = KINDS.flatMap(([kind, head]) => {
      const members = exports.filter((member) => member.kind === kind);
      return members.length === 0 ? [] : [`### ${head}\n\n${members.map(described).join('\n')}`];
    });
    return `## ${entry}\n\n${also}${kinds.join('\n')}`;
  });
  const text = page('API reference', 'the types of the package', INTRODUCTION, sections);
  await expect(text).toMatchFileSnapshot('../../docs/reference/api.md');
});

it('has a sentence for each function and class', () => {
  const silent = api.flatMap(({ entry, exports }) =>
    exports
      .filter((member) => /Function|Class/.test(member.kind) && sentence(member) === '')
      .map(({ name }) => `${entry} ${name}`),
  );
  expect(silent).toEqual([]);
});

const KINDS = [
  ['Function', 'Functions'],
  ['Class', 'Classes'],
  ['Variable', 'Values'],
  ['Interface', 'Interfaces'],
  ['TypeAlias', 'Types'],
] as const;

const identity = (member: ApiMember): string => `${member.name} ${signature(member)}`;

function described(member: ApiMember): string {
  const { name = '', kind, members = [] } = member;
  const said = sentence(member);
  const shown = kind === 'Function' || kind === 'Variable' ? `\`\`\`text\n${signature(member)}\n\`\`\`\n` : '';
  const own = members.filter(({ kind: ofMember }) => ofMember !== 'Constructor');
  const rows = own.map((one) => [code(brief(one)), cell(sentence(one))]);
  const parts = [`#### ${name}\n`, `${said}\n`, shown, rows.length === 0 ? '' : table(['member', 'meaning'], rows)];
  return parts.filter((part) => part.trim() !== '').join('\n');
}

function signature({ excerptTokens = [] }: ApiMember): string {
  const text = excerptTokens.map((token) => token.text).join('');
  return text.replace(/^(?:export |declare )*(?:function |const )?/, '').replace(/;$/, '');
}

/** A type of many lines is cut: the report has it whole. */
function brief(member: ApiMember): string {
  const text = signature(member).replace(/\s+/g, ' ');
  return text.length <= 110 ? text : `${text.slice(0, 109)}…`;
}

function sentence({ docComment = '' }: ApiMember): string {
  return docComment
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\/\*\*|\*\/|\*)\s?/, '').replace(/\s*\*\/\s*$/, ''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}
