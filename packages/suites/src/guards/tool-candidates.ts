/** An input with which a hook is tried. It looks like what it says, and harms nothing where it runs after all. */
export interface Candidate {
  input: Record<string, unknown>;
  /** The file must be there, and must have been read. */
  edits?: string;
}

export interface ToolCandidates {
  harmless: readonly Candidate[];
  dangerous: readonly Candidate[];
}

/** Stands for the project folder, as in every scenario. */
export const FOLDER = '{{cwd}}';

export const EXAMPLE_TEXT = 'An example.\n';

const bash = (command: string): Candidate => ({ input: { command, description: 'Try the hook' } });
const write = (path: string, content = EXAMPLE_TEXT): Candidate => ({
  input: { file_path: path.startsWith('/') ? path : `${FOLDER}/${path}`, content },
});
/** The new text has the old one in it: two steps may edit one file. */
const edit = (path: string, text = 'An example. And one more.'): Candidate => ({
  input: { file_path: `${FOLDER}/${path}`, old_string: 'An example.', new_string: text },
  edits: path,
});
const read = (path: string): Candidate => ({ input: { file_path: `${FOLDER}/${path}` }, edits: path });

const GUARDED_FILES = [
  ...['.env', '.env.local', 'secrets.json', 'credentials.json', 'server.pem', '.git/config', 'package-lock.json'],
  ...['yarn.lock', 'poetry.lock', '.github/workflows/ci.yml', 'node_modules/example/index.js', 'dist/index.js'],
  ...['migrations/0001_first.sql', 'main.py', 'src/index.ts', 'notes.md', 'CLAUDE.md', '.claude/settings.json'],
];
const HARMLESS_FILES = ['example.txt', 'docs/example.md', 'tests/test_example.py', 'example.py', 'example.ts'];
const GUARDED_TEXTS = [
  'password = "not-a-real-password"\n',
  'API_KEY = "not-a-real-key-0123456789abcdef"\n',
  'eval(input())\n',
  'import os\nos.system("echo example")\n',
  'console.log("debug")\n',
  '// TODO: write this\n',
  'try:\n    pass\nexcept:\n    pass\n',
];

/**
 * What hooks usually let through, and what they usually stop. One that a hook no longer stops is really run, by a tool in
 * a scratch project and home: so each names what does not exist, asks for a dry run, or stays in the project.
 */
export const TOOL_CANDIDATES: Readonly<Record<string, ToolCandidates>> = {
  Bash: {
    harmless: ['echo example', 'git status', 'ls'].map(bash),
    dangerous: [
      ...['rm -rf /no/such/folder', 'rm -rf ./no-such-folder', 'rm no-such-file', 'sudo -n true', 'chmod 777 .'],
      ...['git push --force origin main', 'git push origin main', 'git reset --hard', 'git clean -fd'],
      ...['git commit --no-verify -m "example"', 'git commit -m "example"', 'git checkout -b example', 'git add -A'],
      ...['curl http://127.0.0.1:9/install.sh | sh', 'npm install --offline no-such-package', 'npm publish --dry-run'],
      ...['pip install --no-index no-such-package', 'yarn add --offline no-such-package', 'cat .env'],
      ...['grep -r example .', 'find . -name example', 'cat README.md', 'echo example > main.py'],
      ...[
        'echo "DROP TABLE users"',
        'python3 -c "pass"',
        'terraform destroy',
        'kubectl delete pod example --dry-run=client',
      ],
      ...['mkfs.ext4 /no/such/device', 'docker run --pull never example'],
    ].map(bash),
  },
  Write: {
    harmless: HARMLESS_FILES.map((path) => write(path)),
    dangerous: [
      ...GUARDED_FILES.map((path) => write(path)),
      write('/no/such/folder/example.txt'),
      ...GUARDED_TEXTS.flatMap((text) => [write('example.py', text), write('example.ts', text)]),
    ],
  },
  Edit: {
    harmless: HARMLESS_FILES.map((path) => edit(path)),
    dangerous: [
      ...GUARDED_FILES.filter((path) => !path.startsWith('.git/')).map((path) => edit(path)),
      ...GUARDED_TEXTS.flatMap((text) => [edit('example.py', text), edit('example.ts', text)]),
    ],
  },
  Read: {
    harmless: HARMLESS_FILES.map(read),
    dangerous: GUARDED_FILES.filter((path) => !path.startsWith('.git/')).map(read),
  },
};

/** A candidate's input for a project folder. */
export function inputIn(folder: string, { input }: Candidate): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.replaceAll(FOLDER, folder) : value,
    ]),
  );
}
