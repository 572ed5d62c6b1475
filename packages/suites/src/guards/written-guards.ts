import { join } from 'node:path';
import { defined, GUARD_FILE, UnderstudyError } from '@understudy/kit';
import type { Attempt, Guard, GuardedFolder } from './guard.js';
import type { WrittenGuard } from './guard-file.js';
import type { Saying } from './rules-say.js';

const SAID: Readonly<Record<Saying, Pick<Guard, 'isGone' | 'isDenied'>>> = {
  gone: { isGone: true },
  denied: { isDenied: true },
  asked: {},
  allowed: {},
  open: {},
};

/** What `guard.toml` says takes the place of what could not be derived; what names no guard is one of its own. */
export function withWritten(
  folders: readonly GuardedFolder[],
  written: readonly WrittenGuard[],
  saying: (attack: Attempt) => Saying,
): GuardedFolder[] {
  const used = new Set<WrittenGuard>();
  const filled = folders.map(({ setting, guards }) => ({
    setting,
    guards: guards.flatMap((guard): Guard[] => {
      const own = written.filter((one) => isAbout(one, guard));
      for (const one of own) used.add(one);
      if (own.length === 0) return [guard];
      const { underived: _, stopsNothing: __, ...rest } = guard;
      return own.map((one) => ({ ...rest, attack: one.attack, ...defined({ harmless: one.harmless }) }));
    }),
  }));
  const unnamed = written.filter((one) => !used.has(one));
  const stray = unnamed.find(({ name, file }) => file !== undefined && name === undefined);
  const [first, ...others] = filled;
  if (stray !== undefined) {
    throw new UnderstudyError('GUARD_UNKNOWN', `no guard here has ${JSON.stringify(stray.file)} in its command`, {
      fix: 'Write a part of the command of a hook, or leave `file` out.',
      location: { file: join(first?.setting.root ?? '.', GUARD_FILE), ...defined({ line: stray.line }) },
    });
  }
  if (first === undefined) return [];
  const own = unnamed.map(
    (one): Guard => ({
      kind: 'declared',
      name: one.name ?? [one.tool, Object.values(one.attack.input ?? {})[0] ?? one.attack.prompt].join(' '),
      file: GUARD_FILE,
      expects: 'blocked',
      attack: one.attack,
      ...SAID[saying(one.attack)],
      ...defined({ harmless: one.harmless, line: one.line }),
    }),
  );
  return [{ ...first, guards: [...first.guards, ...own] }, ...others];
}

function isAbout({ name, file, tool }: WrittenGuard, guard: Guard): boolean {
  if (name !== undefined) return guard.name === name;
  if (file === undefined || !namesFile(guard.command ?? '', file)) return false;
  return guard.attack === undefined || tool === undefined || guard.attack.tool === tool;
}

/** `own.sh` is not in `unknown.sh`. */
function namesFile(command: string, file: string): boolean {
  const parts = command.split(file);
  return parts.slice(0, -1).some((before) => !/[\w.-]$/.test(before));
}
