import { dirname, join } from 'node:path';
import { parseAgentSpec, type Stage } from '@understudy/agents';
import { rehearsalStem, UnderstudyError } from '@understudy/kit';
import { CASSETTE_ENDING, hasCassette, notLive } from '@understudy/model';
import { fromRehearsal, type Rehearsal } from './load.js';
import { rowPart } from './rows/row-part.js';

/** What is done with the cassettes of rehearsals. */
export interface CassetteOptions {
  /** On live: write them. On replay: write those that are missing, with the real model. */
  record?: boolean | undefined;
  /** On replay: 1 keeps the timing of the recording. */
  speed?: number | undefined;
  /** On replay: from this turn on, the rules of the rehearsal answer; with `record`, the real model. */
  fromTurn?: number | undefined;
}

/**
 * The cassette of a rehearsal on an agent: the one that it names, with `{agent}` replaced, or
 * `cassettes/NAME.AGENT.cassette.jsonl` beside it.
 */
export function cassetteOf(rehearsal: Rehearsal, agents: readonly string[]): string {
  const { file, document } = rehearsal;
  const agent = agents.map((spec) => parseAgentSpec(spec).agent).join('+');
  if (document.cassette !== undefined) return fromRehearsal(rehearsal, document.cassette.replaceAll('{agent}', agent));
  return join(
    dirname(file),
    'cassettes',
    `${rehearsalStem(file)}${rowPart(rehearsal.row?.name)}.${agent}${CASSETTE_ENDING}`,
  );
}

/** The stage on which a rehearsal is really played: where there is no cassette yet, it is recorded if that is wished. */
export function stageWithCassette(
  stage: Stage,
  file: string,
  { record, fromTurn }: CassetteOptions,
  ci: boolean,
): Stage {
  if (record === true && stage !== 'live' && stage !== 'replay') {
    throw notLive(stage);
  }
  if (stage !== 'replay' || hasCassette(file)) return stage;
  if (record === true && fromTurn === undefined && !ci) return 'live';
  throw new UnderstudyError('CASSETTE_MISSING', `there is no cassette ${file}`, {
    fix: ci
      ? 'Record it on your machine with `understudy run --stage live --record`, and commit it: nothing is recorded under CI.'
      : 'Record it with `understudy run --stage live --record`, or add `--record` to record what is missing.',
  });
}
