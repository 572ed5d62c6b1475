import { readIfThere } from '@understudy/kit';
import { type DeclaredHook, hookScripts } from '@understudy/stage';
import type { Candidate } from './tool-candidates.js';

/** Programs about which guards are written, and which hooks seldom use themselves. */
const PROGRAMS = [
  ...[
    'ansible',
    'ansible-playbook',
    'aws',
    'az',
    'cdk',
    'docker',
    'docker-compose',
    'dropdb',
    'fly',
    'flyctl',
    'gcloud',
  ],
  ...['gsutil', 'helm', 'heroku', 'kubectl', 'mongosh', 'mysql', 'podman', 'prisma', 'psql', 'pulumi', 'redis-cli'],
  ...['rsync', 'scp', 'serverless', 'ssh', 'systemctl', 'terraform', 'terragrunt', 'tofu', 'twine', 'vault', 'vercel'],
  ...['wrangler'],
];
/** `terraform apply`, also where a regular expression has it: `terraform\s+(apply|destroy)`. */
const NAMED = new RegExp(
  `(?<![\\w./-])(${PROGRAMS.join('|')})(?![\\w./-])(?:(?:[ \\t]|\\\\s|\\[\\[:space:\\]\\])[+*]?\\(?(?:\\?:)?([a-z][a-z-]+(?:\\|[a-z][a-z-]+)*))?`,
  'g',
);
/** What a hook says to stop something, in a shell or in another language. */
const OBJECTS = /\bexit\s*\(?\s*[1-9]|\bdeny\b|\bblock\b/;

/** The command of a hook, and what the scripts of the plugin in it say. */
export function textOfHook(root: string, { command = '', args, text }: DeclaredHook): string {
  return [text, ...hookScripts(root, command, args).map((file) => readIfThere(file) ?? '')].join('\n');
}

/** Whether a hook may stop something. */
export function mayObject(text: string): boolean {
  return OBJECTS.test(text);
}

/** The commands that a hook names and that were not tried. */
export function untriedCommands(text: string, tried: readonly Candidate[]): string[] {
  const lines = tried.map(({ input }) => ` ${String(input['command'] ?? '')} `);
  const named = [...text.matchAll(NAMED)].flatMap(([, program = '', words = '']) =>
    words === '' ? [program] : words.split('|').map((word) => `${program} ${word}`),
  );
  const isTried = (command: string): boolean =>
    lines.some((line) => command.split(' ').every((word) => line.includes(` ${word} `)));
  return [...new Set(named)].filter((command) => !isTried(command));
}
