import { defined, isObject, type JsonObject } from '@understudy/kit';
import { guardProblem } from '../hooks/problems.js';
import {
  anything,
  either,
  flag,
  isUrl,
  list,
  number,
  object,
  oneOf,
  optional,
  record,
  type Shape,
  type TextRule,
  text,
  type Wrong,
} from '../shapes.js';

const fromHere: TextRule = [(path) => path.startsWith('./'), 'Invalid string: must start with "./"'];
const endsWith = (ending: string): TextRule => [
  (path) => path.endsWith(ending),
  `Invalid string: must end with "${ending}"`,
];
const oneOrMore = (shape: Shape): Shape => either(shape, list(shape));

const paths = oneOrMore(text(fromHere));
const commandPath = either(text(fromHere, endsWith('.md')), text(fromHere));
const command = object(
  {
    source: optional(commandPath),
    content: optional(text()),
    description: optional(text()),
    argumentHint: optional(text()),
    model: optional(text()),
    allowedTools: optional(list(text())),
  },
  [
    (value) => 'source' in value !== 'content' in value,
    'Command must have either "source" (file path) or "content" (inline markdown), but not both',
  ],
);

const hooksFile = text(fromHere, endsWith('.json'));
// What is wrong inside of them is judged where hooks are read.
const inlineHooks = record(anything);

const REMOTE = ['sse', 'http', 'ws', 'sse-ide', 'ws-ide', 'streamable-http', 'claudeai-proxy'];
const server = either(
  object({
    type: optional(oneOf('stdio')),
    command: text([(value) => value !== '', 'Command cannot be empty']),
    args: optional(list(text())),
    env: optional(record(text())),
  }),
  object({ type: oneOf(...REMOTE), url: text(), headers: optional(record(text())) }),
  object({ type: oneOf('sdk') }),
);
const bundle = either(text(fromHere, endsWith('.mcpb')), text(fromHere, endsWith('.dxt')), text(isUrl));
const servers = either(text(fromHere, endsWith('.json')), bundle, record(server));

const languageServer = object({
  command: text([
    (value) => !value.includes(' ') || value.startsWith('/'),
    'Command should not contain spaces. Use args array for arguments.',
  ]),
  args: optional(list(text())),
  extensionToLanguage: mapping(),
});
const languageServers = either(text(fromHere), record(languageServer));

function mapping(): Shape {
  const all = record(text(), (key) => key.startsWith('.'));
  const message = 'extensionToLanguage must have at least one mapping';
  return (value, path) => {
    const wrong = all(value, path);
    if (wrong.length > 0 || Object.keys(value as object).length > 0) return wrong;
    return [{ path, message, isOtherKind: false }];
  };
}

const setting = object({
  type: oneOf('string', 'number', 'boolean', 'directory', 'file'),
  title: text(),
  description: text(),
  required: optional(flag),
  multiple: optional(flag),
  sensitive: optional(flag),
  min: optional(number),
  max: optional(number),
});
const settings = record(setting, (key) => /^[A-Za-z_]\w*$/.test(key));
const channel = object({ server: text() });

const themes = optional(either(text(), list(anything)));
const monitors = themes;

/** What the CLI wants of plugin.json. It does not look at keys that it does not know. */
const MANIFEST = object({
  $schema: optional(text()),
  name: text(
    [(name) => name !== '', 'Plugin name cannot be empty'],
    [(name) => !name.includes(' '), 'Plugin name cannot contain spaces. Use kebab-case (e.g., "my-plugin")'],
  ),
  displayName: optional(text()),
  version: optional(text()),
  description: optional(text()),
  author: optional(
    object({
      name: text([(name) => name !== '', 'Author name cannot be empty']),
      email: optional(text()),
      url: optional(text()),
    }),
  ),
  homepage: optional(text(isUrl)),
  repository: optional(text()),
  license: optional(text()),
  keywords: optional(list(text())),
  dependencies: optional(list(either(text(), object({ name: text() })))),
  defaultEnabled: optional(flag),
  hooks: optional(hooksShape),
  commands: optional(either(commandPath, list(commandPath), record(command))),
  agents: optional(oneOrMore(text(fromHere, endsWith('.md')))),
  skills: optional(paths),
  outputStyles: optional(paths),
  workflows: optional(paths),
  themes,
  channels: optional(list(channel)),
  mcpServers: optional(either(servers, list(servers))),
  lspServers: optional(either(languageServers, list(languageServers))),
  monitors,
  settings: optional(record(anything)),
  userConfig: optional(settings),
  experimental: (value, path) => (isObject(value) ? object({ themes, monitors })(value, path) : []),
});

function hooksShape(value: unknown, path: string) {
  const guard = guardProblem(value);
  const shape = oneOrMore(either(hooksFile, inlineHooks));
  if (guard === undefined || typeof value !== 'object' || Array.isArray(value)) return shape(value, path);
  return [guard, 'Invalid input'].map((message) => ({ path, message, isOtherKind: true }));
}

/** They only describe a plugin: the CLI leaves out what it cannot read of them, and loads the plugin. */
const DESCRIBING = ['$schema', 'author', 'description', 'displayName', 'homepage', 'keywords', 'license', 'repository'];

/** What is wrong with a manifest, in the words of the CLI: it does not load such a plugin. */
export function manifestProblems(manifest: unknown): string[] {
  const wrong = MANIFEST(manifest, '');
  return wrong.every(isIgnored) ? [] : wrong.map(({ path, message }) => `${path}: ${message}`);
}

/** The fields that the CLI leaves out of the manifest of a plugin that it loads. */
export function ignoredFields(manifest: JsonObject): string[] {
  return [...new Set(MANIFEST(manifest, '').filter(isIgnored).map(fieldOf))];
}

function isIgnored(wrong: Wrong): boolean {
  return DESCRIBING.includes(fieldOf(wrong));
}

function fieldOf({ path }: Wrong): string {
  return path.split('.', 1)[0] ?? path;
}

/** Whether the CLI takes a name for a plugin. */
export function isPluginName(name: string): boolean {
  return !/[@:\s/\\\p{Cc}\p{Cf}]/u.test(name);
}

/** A plugin that another one needs. */
export interface Dependency {
  name: string;
  marketplace?: string;
  version?: string;
}

/** The plugins that this one needs. */
export function dependenciesOf({ dependencies }: JsonObject): Dependency[] {
  if (!Array.isArray(dependencies)) return [];
  return dependencies.map((one: string | JsonObject) => {
    const { name: written, marketplace, version } = typeof one === 'string' ? { name: one } : one;
    const [name = '', behind] = String(written).split('@', 2);
    return {
      name,
      ...defined({
        marketplace: behind ?? (typeof marketplace === 'string' ? marketplace : undefined),
        version: typeof version === 'string' ? version : undefined,
      }),
    };
  });
}
