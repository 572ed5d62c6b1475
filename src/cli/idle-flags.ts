import { UnderstudyError } from '@understudy/kit';
import { type Entry, mayVary } from '@understudy/runner';
import type { RunFlags } from './run-flags.js';

interface Flags extends RunFlags {
  timeout?: number;
  speed?: number;
  fromTurn?: number;
}

type Flag = keyof Flags & string;

const onStage =
  (...stages: string[]) =>
  ({ stage }: Entry): boolean =>
    stages.includes(stage);

/** The flags that act on some entries only: on which, and why on no others. */
const PARTIAL: readonly { flag: Flag; actsOn(entry: Entry): boolean; because: string }[] = [
  { flag: 'retries', actsOn: mayVary, because: 'a script gives the same result every time' },
  {
    flag: 'timeout',
    actsOn: ({ player }) => player === 'rehearsal',
    because: 'a case has the time that its suite gives it',
  },
  { flag: 'threshold', actsOn: onStage('live'), because: 'only a real model may miss something now and then' },
  { flag: 'maxCalls', actsOn: onStage('live'), because: 'only the stage live calls real models' },
  { flag: 'yes', actsOn: onStage('live'), because: 'only the stage live asks before it begins' },
  { flag: 'maxCost', actsOn: onStage('live'), because: 'only the stage live costs something' },
  { flag: 'speed', actsOn: onStage('replay'), because: 'there is a recording to play on the stage replay only' },
  { flag: 'fromTurn', actsOn: onStage('replay'), because: 'there is a recording to leave on the stage replay only' },
];

/** A flag that would do nothing is a mistake of whoever gave it. What cannot be loaded may be of any kind. */
export function refuseIdleFlags(entries: readonly Entry[], flags: Flags): void {
  if (entries.length === 0 || entries.some(({ broken }) => broken !== undefined)) return;
  const idle = PARTIAL.find(({ flag, actsOn }) => flags[flag] !== undefined && !entries.some(actsOn));
  if (idle === undefined) return;
  const name = `--${idle.flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const stages = [...new Set(entries.map(({ stage }) => stage))].join(', ');
  throw new UnderstudyError('BAD_FLAG', `${name} does nothing on ${stages}: ${idle.because}`, {
    fix: `Leave out ${name}, or choose another --stage.`,
  });
}
