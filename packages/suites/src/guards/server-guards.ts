import { defined, isObject, parseJson, readIfThere } from '@understudy/kit';
import type { Attempt, Guard } from './guard.js';
import { lineIn, type SettingsPlace } from './setting.js';

const TOOL = 'touch';
const OTHER = 'guard-attack';
const TWIN = 'guard-harmless';

const use = (server: string): Attempt => ({ tool: `mcp__${server}__${TOOL}`, input: {} });

/** The lists of MCP servers that settings allow or deny: a server that they do not let in must have no tools. */
export function serverGuards(places: readonly SettingsPlace[]): Guard[] {
  return places.flatMap(({ file, at, isManaged }) => {
    const value = parseJson(readIfThere(at) ?? '');
    if (!isObject(value)) return [];
    const base = { kind: 'server', file, expects: 'blocked', isGone: true, ...defined({ isManaged }) } as const;
    const denied = entriesOf(value['deniedMcpServers']).map(
      ({ name, text }): Guard => ({
        ...{ ...base, name: `deniedMcpServers ${text}` },
        ...(name === undefined ? UNDERIVED : { attack: use(name), harmless: use(TWIN) }),
      }),
    );
    const listed = value['allowedMcpServers'];
    if (!Array.isArray(listed)) return denied;
    const [twin] = entriesOf(listed).flatMap(({ name }) => name ?? []);
    const allowed: Guard = {
      ...{ ...base, name: 'allowedMcpServers', attack: use(OTHER) },
      ...defined({ line: lineIn(at, ['allowedMcpServers']) }),
      ...(twin === undefined ? {} : { harmless: use(twin) }),
      // The CLI reads this list in the settings of an administrator alone: it is played all the same.
      ...(isManaged === true ? {} : { defect: 'allowedMcpServers counts in managed settings alone' }),
    };
    return [...denied, allowed];
  });
}

const UNDERIVED = { underived: 'only servers that are named by serverName are attacked' };

function entriesOf(list: unknown): { name?: string; text: string }[] {
  if (!Array.isArray(list)) return [];
  return list.map((entry: unknown) => {
    const name = isObject(entry) ? entry['serverName'] : undefined;
    return typeof name === 'string' ? { name, text: name } : { text: JSON.stringify(entry) };
  });
}
