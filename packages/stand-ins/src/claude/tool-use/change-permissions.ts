import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { addRules, type RuleSource } from '@understudy/agents';
import { isObject, isStringList, type JsonObject, parseJson, readIfThere } from '@understudy/kit';
import { isMode, mayBecome } from '../session/modes.js';
import type { Session } from '../session/session.js';
import { complainOfTrust, isTrusted } from '../session/trust.js';

/** Takes over the changes of the permissions that a hook or a host gives with its answer. */
export function changePermissions(session: Session, updates: unknown): void {
  if (Array.isArray(updates)) for (const update of updates) if (isObject(update)) change(session, update);
}

function change(session: Session, update: JsonObject): void {
  const { type, directories, destination } = update;
  const mode = update['mode'] === 'manual' ? 'default' : update['mode'];
  switch (type) {
    case 'setMode':
      if (!isMode(mode) || mode === session.mode || !mayBecome(session, mode)) break;
      session.chosen.mode = mode;
      session.out.system('status', { status: null, permissionMode: mode });
      break;
    case 'addDirectories':
    case 'removeDirectories':
      if (isStringList(directories)) changeFolders(session, type, directories, destination);
      break;
    case 'addRules':
    case 'replaceRules':
    case 'removeRules':
      changeRules(session, type, update);
      break;
    default:
  }
}

function changeFolders(
  session: Session,
  type: 'addDirectories' | 'removeDirectories',
  folders: readonly string[],
  destination: unknown,
): void {
  const { parts } = session;
  const paths = folders.map((folder) => resolve(session.folder, folder));
  const others = parts.directories.filter((path) => !paths.includes(path));
  parts.directories = type === 'addDirectories' ? [...others, ...paths] : others;
  keep(session, destination, 'additionalDirectories', (kept) => {
    const left = kept.filter((one) => !folders.includes(one));
    return type === 'addDirectories' ? [...left, ...folders] : left;
  });
}

function changeRules(session: Session, type: 'addRules' | 'replaceRules' | 'removeRules', update: JsonObject): void {
  const { rules, destination } = update;
  const behavior = (['allow', 'deny', 'ask'] as const).find((one) => one === update['behavior']);
  if (behavior === undefined || !Array.isArray(rules)) return;
  const list = session.parts.rules[behavior];
  const texts = rules.filter(isObject).map(ruleText);
  const source = destination as RuleSource;
  const others = list.filter(({ source: own, text }) =>
    type === 'replaceRules' ? own !== source : type === 'addRules' || own !== source || !texts.includes(text),
  );
  const { paths, projectDir, script } = session.parts;
  const isUntrusted = () => !(script.scenario.document.trusted ?? isTrusted(paths, projectDir));
  const isIgnored = source === 'projectSettings' && behavior === 'allow' && isUntrusted();
  if (type !== 'removeRules' && !isIgnored) addRules(others, texts, source, projectDir);
  session.parts.rules[behavior] = others;
  const isChanged = keep(session, destination, behavior, (kept) => {
    if (type === 'replaceRules') return texts;
    return type === 'removeRules'
      ? kept.filter((text) => !texts.includes(text))
      : [...kept, ...texts.filter((text) => !kept.includes(text))];
  });
  if (isIgnored && isChanged) complainOfTrust(texts.length, 'settings.json', paths, projectDir);
}

function ruleText({ toolName, ruleContent }: JsonObject): string {
  return ruleContent === undefined ? String(toolName) : `${String(toolName)}(${String(ruleContent)})`;
}

/** Writes a list of the permissions of a settings file anew, where the change is for more than this session and is one. */
function keep(session: Session, destination: unknown, list: string, next: (kept: string[]) => string[]): boolean {
  const file = settingsFile(session, destination);
  const settings = file === undefined ? undefined : parseJson(readIfThere(file) ?? '{}');
  if (file === undefined || !isObject(settings)) return false;
  const permissions = isObject(settings['permissions']) ? settings['permissions'] : {};
  const kept = isStringList(permissions[list]) ? permissions[list] : [];
  const texts = next(kept);
  if (JSON.stringify(texts) === JSON.stringify(kept)) return false;
  const changed = { ...settings, permissions: { ...permissions, [list]: texts } };
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(changed, null, 2)}\n`);
    return true;
  } catch {
    // For this session it counts all the same.
    return false;
  }
}

function settingsFile({ parts }: Session, destination: unknown): string | undefined {
  switch (destination) {
    case 'userSettings':
      return parts.paths.userSettings;
    case 'projectSettings':
      return join(parts.projectDir, '.claude', 'settings.json');
    case 'localSettings':
      return join(parts.projectDir, '.claude', 'settings.local.json');
    default:
      return undefined;
  }
}
