import { addAgent, agents, npmVersions, parseAgentSpec } from '@understudy/agents';
import { createScratch, UnderstudyError } from '@understudy/kit';
import { loadRows, type Rehearsal, runRehearsal, untilInterrupted } from '@understudy/runner';
import { type Bisection, bisect, type Judged } from '@understudy/suites';
import { checksOf, type EntryResult } from '@understudy/verdict';
import { EXIT_FAILED } from './main.js';
import { print, printJson, printNote } from './output.js';
import { version as ownVersion } from './version.js';

interface Options {
  good: string;
  bad: string;
  agent: string;
  json?: true;
}

/** Npm has the version, but not for this machine, or it is broken: others can still be judged. */
const NOT_TO_BE_HAD = new Set(['AGENT_NO_SUCH_VERSION', 'AGENT_NOT_INSTALLED', 'AGENT_NO_BUILD']);

/** Searches, prints what was found, and gives the exit code. */
export function bisectRehearsal(file: string, { good, bad, agent: name, json }: Options): Promise<number> {
  const { agent } = parseAgentSpec(name);
  const { npm } = agents[agent];
  if (npm === undefined) throw new UnderstudyError('AGENT_NOT_ON_NPM', `${agent} is not on npm`);
  const rehearsals = loadRows(file);
  return untilInterrupted(async (signal) => {
    const found = await bisect({
      ...{ good, bad },
      versions: await npmVersions(npm.package, signal),
      judge: (version) => judge(rehearsals, `${agent}@${version}`, signal),
      onJudged: (judged, left) => printNote(`${describe(judged)}; ${left} left`),
    });
    if (json === true) printJson({ agent, file, ...found });
    else printFound(agent, found);
    return found.between.length === 0 ? 0 : EXIT_FAILED;
  });
}

async function judge(
  rehearsals: readonly Rehearsal[],
  agent: string,
  signal: AbortSignal,
): Promise<Omit<Judged, 'version'>> {
  try {
    await addAgent(agent, { interrupted: signal });
  } catch (error) {
    if (error instanceof UnderstudyError && NOT_TO_BE_HAD.has(error.code)) {
      return { verdict: 'skip', reason: error.message };
    }
    throw error;
  }
  const scratch = createScratch('bisect');
  try {
    // What is expected to fail is looked for, too.
    const asTheyAre = rehearsals.map((one) => ({
      ...one,
      document: { ...one.document, expected_failure: false as const },
    }));
    const { entries } = await runRehearsal(asTheyAre, {
      ...{ agents: [agent], stage: 'scripted', artifacts: scratch.path, version: ownVersion, signal },
    });
    signal.throwIfAborted();
    return verdictOf(entries);
  } finally {
    await scratch.remove();
  }
}

/** Only a check that passed or failed says something about the version. */
export function verdictOf(entries: readonly EntryResult[]): Omit<Judged, 'version'> {
  if (entries.every(({ status }) => status === 'passed')) return { verdict: 'good' };
  const failed = entries.find(({ status }) => status === 'failed');
  if (failed !== undefined) {
    return { verdict: 'bad', reason: reasonOf(failed) };
  }
  const [other] = entries.filter(({ status }) => status !== 'passed');
  return { verdict: 'skip', reason: other?.error?.message ?? other?.reason ?? `it is ${other?.status}` };
}

/** What a version asks and no rule answers says most: a turn that failed follows from it. */
function reasonOf(failed: EntryResult): string {
  const red = checksOf(failed).filter(({ status }) => status === 'failed');
  const check = red.find(({ subject }) => subject.kind === 'request') ?? red[0];
  if (check === undefined) return failed.error?.message ?? 'it failed';
  const [why] = check.subject.kind === 'turn' ? check.evidence : [];
  return [`${check.name}: ${check.actual}`, why].filter((part) => part !== undefined).join(': ');
}

function describe({ version, verdict, reason }: Judged): string {
  return `${version} is ${verdict === 'skip' ? 'skipped' : verdict}${reason === undefined ? '' : `: ${reason}`}`;
}

function printFound(agent: string, { lastGood, firstBad, between, judged }: Bisection): void {
  if (between.length === 0) print(`${agent}@${firstBad} is the first bad version; ${lastGood} was good`);
  else print(`the first bad version is one of ${[...between, firstBad].join(', ')}; ${lastGood} was good`);
  const reason = judged.find(({ version }) => version === firstBad)?.reason;
  if (reason !== undefined) print(`  ${reason}`);
}
