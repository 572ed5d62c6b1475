import { dirname, join } from 'node:path';
import { defined, makeFolder, runAllSteps } from '@understudy/kit';
import { combinedUsage, type ScriptUsage } from '@understudy/script';
import { loadWorkflow, outlineOf, pick, totalUsage } from '@understudy/stage';
import {
  checkEscapes,
  checkOutputCut,
  checkScript,
  checkUnreadable,
  checkWitnesses,
  type StepResult,
  witnessesOf,
} from '@understudy/verdict';
import type { Played } from '../run/entry.js';
import { type AroundResult, runAround } from './around-steps.js';
import { ConversationSteps, workflowOf } from './conversation-steps.js';
import { within } from './expectations.js';
import type { Rehearsal } from './load.js';
import { checkLocator, rulePathOf } from './locate-checks.js';
import { prepareProject } from './prepare-project.js';
import { filled, type Values } from './program-start.js';
import type { RehearseOptions } from './rehearse-options.js';
import { ReplacedServers } from './replaced-servers.js';
import type { ProgramSteps } from './run-step.js';
import { hasTerminalProgram, isRunStep, type Step, sendStepsOf } from './schema.js';
import { Services } from './services.js';
import { notReached, type StepPlayer } from './step-player.js';
import { describeStep } from './terminal-step.js';

/** Plays a rehearsal once, on one agent and one stage. Errors of the harness are thrown. */
export async function rehearse(rehearsal: Rehearsal, options: RehearseOptions): Promise<Played> {
  const description = rehearsal.document.project ?? {};
  const from = dirname(rehearsal.file);
  const servers = new ReplacedServers(rehearsal.document.mcp ?? {}, { folder: join(options.folder, 'mcp'), from });
  const project = await prepareProject(description, join(options.folder, 'project'), from, (folder) =>
    servers.replaceInProject(folder),
  );
  options.signal?.throwIfAborted();
  const services = await Services.start(rehearsal, options, project);
  try {
    return await perform(rehearsal, options, servers, services);
  } finally {
    await services.stop();
  }
}

async function perform(
  rehearsal: Rehearsal,
  options: RehearseOptions,
  servers: ReplacedServers,
  services: Services,
): Promise<Played> {
  const { document } = rehearsal;
  const { signal } = options;
  makeFolder(join(options.folder, 'artifacts'));
  const locate = checkLocator(rehearsal);
  const players: StepPlayer[] = [];
  const steps: StepResult[] = [];
  let talk: ConversationSteps | undefined;
  let programs: ProgramSteps | undefined;
  const around = { services, place: locate };
  let after: AroundResult | undefined;
  let before: AroundResult | undefined;
  try {
    before = await runAround('before', rehearsal, options, around);
    if (sendStepsOf(document).length > 0) {
      talk = await ConversationSteps.start(rehearsal, options, servers, services);
      players.push(talk);
    }
    if (document.steps.some(isRunStep)) {
      const { ProgramSteps: Steps } = await import('./run-step.js');
      programs = await Steps.open(rehearsal, options, { conversation: talk?.conversation, services });
      players.push(programs);
    }
    for (const [index, step] of document.steps.entries()) {
      signal?.throwIfAborted();
      options.onStep?.(index + 1, document.steps.length, describeStep(step));
      const isOfProgram = isRunStep(step) || hasTerminalProgram(document);
      const player = isOfProgram ? programs : talk;
      const place = within(locate, 'steps', index);
      steps.push(
        (await player?.take(completed(step, options.timeoutMs, services.values), index + 1, place)) ??
          notReached(step, index + 1),
      );
    }
    for (const player of players.toReversed()) await player.finish();
  } finally {
    await runAllSteps([
      ...players.map((player) => () => player.close()),
      async () => {
        if (signal?.aborted !== true) after = await runAround('after', rehearsal, options, around);
      },
    ]);
  }
  const runs = [before, after].flatMap((one) => one ?? []);
  const usage = combined(players.flatMap((player) => player.usage() ?? []));
  // A live model has no script that could be left unused.
  const scriptChecks =
    usage === undefined
      ? []
      : checkScript(
          usage,
          { unused: document.allow_unused, unanswered: document.allow_unanswered },
          options.stage === 'replay' ? 'cassette' : 'script',
        );
  const testimonies = players.flatMap((player) => player.testimonies());
  const isolation = pick(
    players.flatMap(({ events }) => events),
    'isolation',
  ).at(-1);
  const called = steps.reduce((total, { run }) => total + (run?.calls.length ?? 0), 0);
  return {
    steps,
    checks: [
      ...players.flatMap((player) => player.checks()),
      ...runs.flatMap(({ checks }) => checks),
      ...services.checks(locate),
      // The rules of another file have no line in this one.
      ...(document.scenario === undefined
        ? scriptChecks.flatMap((check) => locate(rulePathOf(check), [check]))
        : locate(['scenario'], scriptChecks)),
      ...checkOutputCut(talk?.events ?? []),
      ...checkWitnesses(testimonies),
      ...checkUnreadable(players.flatMap(({ unreadable }) => unreadable)),
      ...(document.escapes === 'any'
        ? []
        : locate(
            ['escapes'],
            checkEscapes(
              players.flatMap(({ events }) => events),
              {
                requested: document.escapes !== undefined,
                served: [...services.attempts(), ...runs.flatMap(({ attempts }) => attempts)],
              },
            ),
          )),
    ],
    ...(document.workflow === undefined
      ? {}
      : { workflow: outlineOf(loadWorkflow(workflowOf(rehearsal, document.workflow))) }),
    witnesses: witnessesOf(testimonies, isolation?.level),
    usage: totalUsage(players[0]?.events ?? [], called),
  };
}

function combined(usages: readonly ScriptUsage[]): ScriptUsage | undefined {
  const [first, ...others] = usages;
  return first && others.reduce(combinedUsage, first);
}

/** A step with the time that it has, and with the addresses of services. */
function completed(step: Step, timeout_ms: number | undefined, values: Values): Step {
  const timed = { ...defined({ timeout_ms }), ...step };
  if (isRunStep(timed) || timed.send === undefined) return timed;
  return { ...timed, send: filled(timed.send, values) };
}
