import { readFileSync } from 'node:fs';

/** A TypeScript or JavaScript block of a page. */
export interface CodeBlock {
  page: string;
  /** The line of its first line of code. */
  line: number;
  code: string;
}

/** The TypeScript and JavaScript blocks of a Markdown page. */
export function codeBlocks(folder: string, page: string): CodeBlock[] {
  const text = readFileSync(`${folder}/${page}`, 'utf8');
  return [...text.matchAll(/^```(?:ts|js|typescript|javascript)\n([\s\S]*?)^```$/gm)].map((match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length + 1,
    code: match[1] ?? '',
  }));
}

/** What a fragment may take for granted: names that its page explains in words, each with its type. */
const GIVEN: Record<string, string> = {
  agent: "import('agent-understudy').FoundAgent",
  changes: "import('agent-understudy/workspace').Change[]",
  cwd: 'string',
  diff: 'string',
  home: 'string',
  plugins: 'string[]',
  project: "import('agent-understudy/workspace').Project",
  scenario: "import('agent-understudy').ScenarioDocument",
  server: "import('agent-understudy/model-server').ModelServer",
  toolInput: 'Record<string, unknown>',
};

/** A block as a module that can be compiled: the names it takes for granted are declared in its first line. */
export function moduleOf({ code }: CodeBlock): string {
  const missing = Object.keys(GIVEN).filter(
    (name) =>
      new RegExp(`(?<![.\\w'/])${name}\\b(?!:)`).test(code) &&
      !new RegExp(`\\b(const|let|import)\\b[^=;]*\\b${name}\\b[^=;]*(=|from)`).test(code),
  );
  return `${missing.map((name) => `declare const ${name}: ${GIVEN[name]};`).join(' ')} export {};\n${code}`;
}

/** The names that a block imports from our package, by entry; types are left out. */
export function importsOf({ code }: CodeBlock): { entry: string; name: string }[] {
  return [...code.matchAll(/import \{([^}]*)\} from '(agent-understudy[^']*)'/g)].flatMap(
    ([, names = '', entry = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => ({ entry, name })),
  );
}

/** Links of a Markdown page to files, without those of the web and those within the page. */
export function fileLinks(text: string): string[] {
  const withoutCode = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  return [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => (match[1] ?? '').replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}
