/** A fault: the case that must find it, the file, what is written there, and what stands there instead. */
export type Change = [file: string, written: string, instead: string];
export interface LoopFault {
  name: string;
  caughtBy: string;
  changes: Change[];
  /** What the diagnosis must say, where another blame would be near. */
  blamed?: RegExp;
  /** It ends at a deadline. */
  slow?: true;
}

const fault = (name: string, caughtBy: string, ...changes: Change[]): LoopFault => ({ name, caughtBy, changes });

/** A fault that was once blamed on something else. */
const blamed = (name: string, caughtBy: string, words: RegExp, ...changes: Change[]): LoopFault => ({
  ...{ name, caughtBy, changes, blamed: words },
});

export const loopFaults: readonly LoopFault[] = [
  {
    ...blamed('the loop completes and then hangs', 'single-iter@claude', /completed its work and then did not end/, [
      'packages/suites/src/ralph/loop/loop.ts',
      'return exitCodes[reason];',
      'if (iterations > 0) await new Promise((done) => setTimeout(done, 3_600_000)); return exitCodes[reason];',
    ]),
    slow: true,
  },
  blamed('the agent is killed', 'single-iter@claude', /claude was killed in iteration 1/, [
    'packages/suites/src/ralph/loop/run-agent.ts',
    "child.write(invocation.input ?? '');",
    "process.kill(-child.pid, 'SIGKILL'); child.write(invocation.input ?? '');",
  ]),
  blamed('the limit of failures is ignored', 'auth-failure@claude', /should have ended \(consecutive_failures\)/, [
    'packages/suites/src/ralph/loop/termination.ts',
    'progress.consecutiveFailures >= limits.max_consecutive_failures',
    'progress.consecutiveFailures > 1000',
  ]),
  blamed('events are not kept in the events file', 'events@claude', /did not write them to its events file/, [
    'packages/suites/src/ralph/loop/event-log.ts',
    'for (const event of events) this.append(event);',
    'void events;',
  ]),
  blamed('a run prints nothing', 'connect@claude', /printed nothing/, [
    'packages/suites/src/ralph/loop/console.ts',
    'const show = quiet ? () => {} : write;',
    'const show = () => {}; write = show;',
  ]),
  fault('events are dropped', 'events@claude', [
    'packages/suites/src/ralph/loop/events.ts',
    'return findTags(text).map((tag) => tag.event);',
    'return [];',
  ]),
  fault('an unclosed tag swallows the next event', 'events@claude', [
    'packages/suites/src/ralph/loop/events.ts',
    '.test(text.slice(body, close))) continue;',
    '.test("")) continue;',
  ]),
  fault('payloads are not trimmed', 'events@claude', [
    'packages/suites/src/ralph/loop/events.ts',
    'text.slice(body, close).trim()',
    'text.slice(body, close)',
  ]),
  fault('the writer of an event is forgotten', 'hat-single@claude', [
    'packages/suites/src/ralph/loop/loop.ts',
    "const source = hat?.id ?? 'ralph';",
    "const source = 'ralph';",
  ]),
  fault('the wildcard beats the specific trigger', 'hat-event-routing@claude', [
    'packages/suites/src/ralph/loop/routing.ts',
    'rank < best.wildcards',
    'rank > best.wildcards',
  ]),
  fault('targets are ignored', 'hat-event-routing@claude', [
    'packages/suites/src/ralph/loop/routing.ts',
    'if (event.target !== undefined) return',
    "if (event.target === 'nobody') return",
  ]),
  fault('orphans go to the first hat', 'hat-event-routing@claude', [
    'packages/suites/src/ralph/loop/routing.ts',
    'return best?.hat;',
    'return best?.hat ?? hats[0];',
  ]),
  fault('the starting event is ignored', 'hat-single@claude', [
    'packages/suites/src/ralph/loop/loop.ts',
    "(settings.starting_event ?? 'task.start')",
    "'task.start'",
  ]),
  fault('a hat’s backend is ignored', 'hat-backend-override@claude', [
    'packages/suites/src/ralph/loop/loop.ts',
    'hat?.backend ?? config.backend',
    'config.backend',
  ]),
  fault('the default event is not published', 'hat-default-publishes@claude', [
    'packages/suites/src/ralph/loop/loop.ts',
    'hat?.default_publishes !== undefined',
    'hat?.default_publishes === ""',
  ]),
  fault('a hat’s instructions are not injected', 'hat-instructions@claude', [
    'packages/suites/src/ralph/loop/prompt.ts',
    '${instructions}${publishing}',
    '${publishing}',
  ]),
  fault('all hats’ instructions go to everybody', 'hat-instructions@claude', [
    'packages/suites/src/ralph/loop/prompt.ts',
    "hat === undefined ? doneSection(config.event_loop.completion_promise) : '',",
    "hat === undefined ? doneSection(config.event_loop.completion_promise) + config.hats.map((h) => h.instructions).join() : '',",
  ]),
  fault('the table of hats is left out', 'hat-topology@claude', [
    'packages/suites/src/ralph/loop/prompt.ts',
    'hat === undefined ? hatsSection(config)',
    "hat === undefined ? ''",
  ]),
  fault('the objective is left out', 'multi-iter@claude', [
    'packages/suites/src/ralph/loop/prompt.ts',
    '`## OBJECTIVE\\n\\n${parts.objective}`',
    "''",
  ]),
  fault('pending events are left out', 'multi-iter@claude', [
    'packages/suites/src/ralph/loop/prompt.ts',
    'pendingSection(parts.pending),',
    "'',",
  ]),
  fault('the scratchpad is left out', 'scratchpad-carry@claude', [
    'packages/suites/src/ralph/loop/prompt.ts',
    'scratchpadSection(parts.scratchpad, config.core.scratchpad),',
    "'',",
  ]),
  fault('the promise counts anywhere', 'completion@claude', [
    'packages/suites/src/ralph/loop/completion.ts',
    'lastLine(textOutsideEvents(text)) === promise.trim()',
    'text.includes(promise.trim())',
  ]),
  fault('a promise in the last iteration is missed', 'completion@claude', [
    'packages/suites/src/ralph/loop/loop.ts',
    "if (complete) return 'completed';",
    "if (complete && iteration < this.#config.event_loop.max_iterations) return 'completed';",
  ]),
  fault('the promise is never seen', 'single-iter@claude', [
    'packages/suites/src/ralph/loop/completion.ts',
    'lastLine(textOutsideEvents(text)) === promise.trim()',
    'promise === ""',
  ]),
  fault('work is done without evidence', 'backpressure@claude', [
    'packages/suites/src/ralph/loop/backpressure.ts',
    "event.topic === 'build.done' ?",
    "event.topic === 'never' ?",
  ]),
  fault('evidence is never accepted', 'backpressure@claude', [
    'packages/suites/src/ralph/loop/backpressure.ts',
    'if (missing.length === 0) return event;',
    '',
  ]),
  fault('Claude’s stream is read as text', 'streaming@claude', [
    'packages/suites/src/ralph/loop/agent-output.ts',
    "kind === 'stream-json' ? new StreamJsonOutput() : new TextOutput(kind)",
    "new TextOutput(kind === 'stream-json' ? 'text' : kind)",
  ]),
  fault('Kiro’s marker stays in its text', 'completion@kiro', [
    'packages/suites/src/ralph/loop/agent-output.ts',
    "line.replace(MARKER, '')",
    'line',
  ]),
  fault('memories are not injected', 'memory-injection@claude', [
    'packages/suites/src/ralph/loop/prompt.ts',
    'parts.memories,',
    "'',",
  ]),
  fault('memories are injected although nobody asked', 'memory-injection@claude', [
    'packages/suites/src/ralph/loop/loop.ts',
    "enabled && inject === 'auto'",
    'enabled',
  ]),
  fault('empty sections are injected', 'memory-injection@claude', [
    'packages/suites/src/ralph/loop/memory/memory-file.ts',
    'return entries.length === 0 ? [] : [',
    'return [',
  ]),
  fault('the budget is ignored', 'memory-large@claude', [
    'packages/suites/src/ralph/loop/memory/inject.ts',
    'if (budget === 0 || whole.length <= room) return whole;',
    'if (budget >= 0) return whole;',
  ]),
  fault('all memories go to one section', 'memory-types@claude', [
    'packages/suites/src/ralph/loop/memory/memory-file.ts',
    'sectionType(line) === type',
    'sectionType(line) !== undefined',
  ]),
  fault('a search finds everything', 'memory-search@claude', [
    'packages/suites/src/ralph/loop/memory/store.ts',
    'text.toLowerCase().includes(wanted)',
    'wanted !== text',
  ]),
  fault('a memory is shown whatever its id', 'memory-show@claude', [
    'src/cli/loop-memory.ts',
    '.find((candidate) => candidate.id === id);',
    '.find((candidate) => candidate.id !== "");',
  ]),
  fault('a deleted memory stays', 'memory-delete@claude', [
    'src/cli/loop-memory.ts',
    'if (!openStore().delete(id)) throw unknownMemory(id);',
    'if (openStore().all().length === 0) throw unknownMemory(id);',
  ]),
  fault('agents are not taught the commands for memories', 'memory-skill@claude', [
    'packages/suites/src/ralph/loop/prompt.ts',
    "config.memories.enabled ? MEMORY_COMMANDS : '',",
    "'',",
  ]),
  fault('the agent of a Kiro hat is not passed on', 'hat-kiro-agent@kiro', [
    'packages/suites/src/ralph/loop/backend.ts',
    "['--agent', backend.agent]",
    '[]',
  ]),
  fault('a damaged memory file is overwritten', 'memory-corrupted@claude', [
    'packages/suites/src/ralph/loop/memory/memory-file.ts',
    "text.trim() === '' ?",
    "text !== '' ?",
  ]),
  fault('memories that are written at once overwrite each other', 'memory-written-fast@claude', [
    'packages/suites/src/ralph/loop/memory/store.ts',
    'this.#write(withMemory(text, memory));',
    // Nobody waits for the lock, and there is time enough between reading and writing.
    'rmSync(`${this.file}.lock`, { force: true }); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500); this.#write(withMemory(text, memory));',
  ]),
  fault('a missing memory file stops the loop', 'memory-missing@claude', [
    'packages/suites/src/ralph/loop/memory/store.ts',
    "code === 'ENOENT') return '';",
    "code === 'EVERYTHING') return '';",
  ]),
  fault('agents have no ralph to call', 'memory-persistence@claude', [
    'packages/suites/src/ralph/loop/loop.ts',
    "[dirname(program), env['PATH'] ?? ''].join(delimiter)",
    "[env['PATH'] ?? ''].join(delimiter)",
  ]),
  fault('one iteration too many', 'max-iterations@claude', [
    'packages/suites/src/ralph/loop/termination.ts',
    'progress.iterations >= limits.max_iterations',
    'progress.iterations > limits.max_iterations',
  ]),
  fault('a limit is reported as success', 'timeout-handling@claude', [
    'packages/suites/src/ralph/loop/termination.ts',
    'max_runtime: 2',
    'max_runtime: 0',
  ]),
  fault(
    'the child is left alive on timeout',
    'timeout-handling@claude',
    ['packages/suites/src/ralph/loop/run-agent.ts', "process.kill(-pid, 'SIGTERM')", "process.kill(pid, 'SIGTERM')"],
    ['packages/kit/src/process/child.ts', '#clearUp(): void {\n    killAllOf(', '#clearUp(): void {\n    void ('],
    // The guard would clear up behind the loop when that has ended.
    ['packages/kit/src/process/reaper.ts', 'writeLine(`+${kind} ${value}`)', 'void kind'],
  ),
  fault('a failure counts as success', 'auth-failure@claude', [
    'packages/suites/src/ralph/loop/run-agent.ts',
    "failed: ending !== 'exit' || exit.code !== 0 || output.failed",
    'failed: false',
  ]),
  fault('failures do not add up', 'auth-failure@claude', [
    'packages/suites/src/ralph/loop/loop.ts',
    'run.failed ? this.#progress.consecutiveFailures + 1 : 0',
    '0',
  ]),
  fault('a failed iteration’s events are lost', 'failure-keeps-event@claude', [
    'packages/suites/src/ralph/loop/loop.ts',
    'this.#pending.unshift(...batch.events);',
    '{}',
  ]),
  fault('a failed agent ends the loop', 'failure-recovery@claude', [
    'packages/suites/src/ralph/loop/termination.ts',
    'progress.consecutiveFailures >= limits.max_consecutive_failures',
    'progress.consecutiveFailures >= 1',
  ]),
  fault('a missing CLI is not reported', 'backend-unavailable@claude', [
    'packages/suites/src/ralph/loop/loop.ts',
    "if (run.ending === 'not_started') return 'backend_unavailable';",
    '',
  ]),
];
