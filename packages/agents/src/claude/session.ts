import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Child,
  createTempFolder,
  defined,
  type Exit,
  tellingLine,
  UnderstudyError,
  UntrustedFolder,
} from '@understudy/kit';
import type { AgentSession, StartOptions } from '../driver.js';
import { type EventBody, reportableSchema, type TurnEnded } from '../events.js';
import { OneTurn } from '../one-turn.js';
import { describeDeadline } from '../turn-deadline.js';
import { readTypedCommand, type TypedCommand } from './commands.js';
import { ControlChannel } from './control-channel.js';
import { transcriptPath } from './facts/config-paths.js';
import { claudePaths, prepareClaude } from './home.js';
import { isPending, LostServers, type McpServerState, notReady, settledServers, withLogs } from './mcp-servers.js';
import { blockedByHook, RunningHooks } from './running-hooks.js';
import { offeredTools } from './tools.js';
import { lastExpansion } from './transcript.js';
import { ClaudeTranslator } from './translate.js';
import { UnreportedHooks } from './unreported-hooks.js';
import { commandStatus, judgeTurn } from './verdict.js';
import { initializedSchema } from './wire.js';

/** What still works in the background at the end of a conversation has this time to end. */
const BACKGROUND_END_MS = 1_000;

/** One living Claude Code, spoken to in stream-json. */
export class ClaudeSession implements AgentSession {
  readonly #options: StartOptions;
  readonly #translator: ClaudeTranslator;
  readonly #control: ControlChannel;
  readonly #stderr: string[] = [];
  /** How many lines of it are older than the turn. */
  #saidBefore = 0;
  readonly #turn: OneTurn;
  readonly #hooks = new RunningHooks();
  readonly #lostServers = new LostServers();
  readonly #unreported: UnreportedHooks;
  readonly #temp = createTempFolder();
  #child: Child | undefined;
  #sessionId: string;
  #commands: string[] = [];
  #command: TypedCommand | undefined;
  #announced = false;
  #lastSession = '';
  #interrupted = false;
  /** What all turns have cost so far, as the CLI says. */
  #cost = 0;
  #ending = false;

  private constructor(options: StartOptions) {
    this.#options = options;
    this.#sessionId = options.resume ?? randomUUID();
    this.#translator = new ClaudeTranslator(options.stage);
    this.#control = new ControlChannel({
      write: (line) => this.#write(line),
      permissions: options.permissions,
      hooks: this.#hooks,
      emit: options.emit,
      onDenied: (callId) => this.#translator.deniedCalls.add(callId),
    });
    this.#turn = new OneTurn('Claude Code', options.emit);
    this.#unreported = new UnreportedHooks(options.recorder, options.emit);
  }

  /** Starts the process and waits until it answers. */
  static async start(options: StartOptions): Promise<ClaudeSession> {
    const session = new ClaudeSession(options);
    try {
      await session.#open(options);
    } catch (error) {
      await session.#temp.remove();
      throw error;
    }
    return session;
  }

  async #open(options: StartOptions): Promise<void> {
    this.#child = await Child.start({
      command: [...options.found.command, ...this.#arguments()],
      cwd: options.cwd,
      env: prepareClaude(options, this.#temp.path),
      noteLeftovers: true,
      lasting: true,
      input: 'open',
      ...defined({ output: options.output, enclosure: options.enclosure }),
      onLine: (line) => this.#line(line),
      onErrorLine: (line) => this.#errorLine(line),
      onExit: (exit) => this.#exited(exit),
    });
    try {
      const initialized = this.#control.request('initialize', {}, options.deadlines.startMs);
      this.#initialized(await this.#unlessAborted(initialized));
    } catch (error) {
      this.#ending = true;
      const waitsFor = this.#child.hasEnded
        ? undefined
        : this.#hooks.describe(this.#child.mainPid, 'a SessionStart hook');
      const exit = await this.#child.kill('start failed');
      if (waitsFor !== undefined) throw blockedByHook(waitsFor, error);
      const said = this.#stderr.join('\n').slice(-2000);
      throw new UnderstudyError(
        'AGENT_NOT_STARTED',
        `Claude Code did not start (${describeExit(exit)})${said === '' ? '' : `: ${said}`}`,
        {
          cause: error,
          fix: 'Run the same command by hand, or try another version: understudy agents add claude@VERSION.',
        },
      );
    }
  }

  /** Whoever is interrupted does not wait for an agent that starts. */
  async #unlessAborted<T>(starting: Promise<T>): Promise<T> {
    const { signal } = this.#options;
    const abort = () => this.#child?.killNow('interrupted');
    signal?.addEventListener('abort', abort);
    if (signal?.aborted === true) abort();
    try {
      return await starting;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  async settled(): Promise<void> {
    const { home, deadlines } = this.#options;
    const settling = settledServers((subtype) => this.control(subtype), deadlines.serversMs);
    const settled = await this.#unlessAborted(settling);
    const servers = await withLogs(settled, home);
    this.#emitServers(servers);
    const late = servers.filter(isPending);
    if (late.length > 0) throw notReady(late, deadlines.serversMs);
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  /** The commands that the CLI knows, without the slash. */
  get commands(): readonly string[] {
    return this.#commands;
  }

  get pid(): number | undefined {
    return this.#child?.mainPid;
  }

  async send(text: string, options: { deadlineMs?: number } = {}): Promise<TurnEnded> {
    const command = readTypedCommand(text, this.#commands);
    const started = this.#turn.begin();
    this.#saidBefore = this.#stderr.length;
    this.#translator.beginTurn();
    this.#command = command;
    this.#announced = false;
    this.#interrupted = false;
    const id = randomUUID();
    this.#options.emit({ type: 'prompt', id, text });
    this.#write({
      type: 'user',
      session_id: this.#sessionId,
      parent_tool_use_id: null,
      message: { role: 'user', content: command?.sent ?? text },
    });
    const deadlineMs = options.deadlineMs ?? this.#options.deadlines.turnMs;
    const timer = setTimeout(() => this.#timedOut(deadlineMs), deadlineMs);
    try {
      return await started;
    } finally {
      clearTimeout(timer);
    }
  }

  async interrupt(): Promise<void> {
    if (!this.#turn.isOpen) return;
    this.#interrupted = true;
    this.#options.emit({ type: 'interrupt' });
    await this.#control.request('interrupt');
  }

  /** What the CLI says of itself: `mcp_status`, `get_hooks_listing`, `get_context_usage`, `get_settings` … */
  control(subtype: string, fields?: Record<string, unknown>): Promise<unknown> {
    return this.#control.request(subtype, fields);
  }

  async end(): Promise<void> {
    this.#ending = true;
    this.#child?.closeInput();
    const { endMs } = this.#options.deadlines;
    // The CLI stays as long as a command works in the background, and a server never ends.
    const waitMs = this.#translator.hasBackgroundWork ? Math.min(endMs, BACKGROUND_END_MS) : endMs;
    await this.#child?.exitWithin(waitMs, 'end of the conversation');
    await this.#temp.remove();
  }

  #arguments(): string[] {
    const { resume, model, plugins = [], modelName, args = [] } = this.#options;
    return [
      '-p',
      ...['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
      '--include-hook-events',
      '--replay-user-messages',
      ...['--permission-prompt-tool', 'stdio'],
      ...(resume === undefined ? ['--session-id', this.#sessionId] : ['--resume', resume]),
      ...(model.kind === 'scenario' ? ['--scenario', model.file] : []),
      ...(modelName === undefined ? [] : ['--model', modelName]),
      ...(args.includes('--tools') ? [] : ['--tools', offeredTools(this.#options.found.version)]),
      ...plugins.flatMap((folder) => ['--plugin-dir', folder]),
      ...args,
    ];
  }

  #write(line: unknown): void {
    this.#child?.write(`${JSON.stringify(line)}\n`);
  }

  #initialized(answer: unknown): void {
    const { recorder } = this.#options;
    const told = initializedSchema.safeParse(answer).data;
    this.#commands = told?.commands ?? [];
    this.#options.emit({
      type: 'session',
      agent: 'claude',
      stage: this.#options.stage,
      sessionId: this.#sessionId,
      cwd: this.#options.cwd,
      commands: this.#commands,
      agents: told?.agents ?? [],
      reports: reportableSchema.options.filter((what) => what !== 'untold_hooks' || recorder !== undefined),
      ...defined({ version: this.#options.found.version }),
    });
  }

  #emitServers(servers: readonly McpServerState[]): void {
    if (servers.length === 0) return;
    this.#options.emit({
      type: 'session',
      agent: 'claude',
      stage: this.#options.stage,
      sessionId: this.#sessionId,
      cwd: this.#options.cwd,
      mcpServers: servers.map(({ name, status, error, log }) => {
        const reason = [error, log].filter((part) => part !== undefined).join(': ');
        return { name, status, ...(reason === '' ? {} : { error: reason }) };
      }),
    });
  }

  #line(line: string): void {
    if (line === '') return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#options.emit({ type: 'unknown', kind: 'text on stdout', data: line });
      return;
    }
    if (this.#control.handle(message)) return;
    this.#unreported.reportBefore(message);
    const events = this.#translator.translate(message);
    this.#announceCommand();
    for (const event of events) this.#emit(this.#unreported.withPayload(event));
    if (this.#turn.isOpen) this.#maybeFinish();
  }

  #emit(event: EventBody): void {
    this.#hooks.note(event);
    if (event.type === 'session') {
      // The CLI repeats it each turn; only changes are recorded.
      const told = JSON.stringify(event);
      if (told === this.#lastSession) return;
      this.#lastSession = told;
      if (event.sessionId !== undefined) this.#sessionId = event.sessionId;
      this.#commands = [...new Set([...(event.commands ?? []), ...this.#commands])];
    }
    this.#options.emit(event);
    this.#lostServers.note(event);
  }

  /** A command is recorded as soon as its status is known, so that it comes before its effects. */
  #announceCommand(final = false): void {
    const command = this.#command;
    if (command === undefined || this.#announced) return;
    const status = commandStatus(this.#translator.seen) ?? (final ? 'unknown' : undefined);
    if (status === undefined) return;
    this.#announced = true;
    this.#options.emit({
      type: 'command',
      typed: command.typed,
      name: this.#translator.seen.expandedCommand ?? command.command.name,
      args: command.command.args,
      status,
      ...(status !== 'unknown' || command.similar.length === 0 ? {} : { similar: command.similar }),
    });
  }

  #maybeFinish(): void {
    const { seen } = this.#translator;
    const { result } = seen;
    if (result === undefined) return;
    // Once something works in the background, a result is not the end: the CLI says when it is idle.
    if (this.#translator.hadBackgroundWork && seen.tellsState && !seen.idle) return;
    this.#announceCommand(seen.promptBlocked === undefined);
    const milliseconds = this.#turn.close();
    const ended = judgeTurn(
      { ...seen, result },
      { command: this.#command, interrupted: this.#interrupted, milliseconds, costBefore: this.#cost },
    );
    this.#cost = result.total_cost_usd ?? this.#cost;
    const finish = () => {
      this.#unreported.report();
      this.#turn.finish(ended);
    };
    // Without its expansion the turn is still a turn.
    this.#emitExpansion().then(finish, finish);
  }

  async #emitExpansion(): Promise<void> {
    const { expandedCommand: name, forkedTo, synthetic, result } = this.#translator.seen;
    if (name !== undefined && forkedTo !== undefined) {
      this.#options.emit({ type: 'expansion', name, text: forkedTo });
      return;
    }
    // A command that the CLI answered itself became nothing for a model to read. An error of the model is no such answer.
    if (name === undefined || (synthetic.length > 0 && result?.is_error !== true)) return;
    // The CLI writes its transcript a little behind its output.
    for (const pause of [0, 20, 50, 100, 200]) {
      if (pause > 0) await sleep(pause);
      const text = this.#writtenExpansion(name);
      if (text !== undefined) {
        this.#options.emit({ type: 'expansion', name, text });
        return;
      }
    }
  }

  #writtenExpansion(name: string): string | undefined {
    const { home, cwd } = this.#options;
    const file = transcriptPath(claudePaths(home), cwd, this.#sessionId);
    return lastExpansion(new UntrustedFolder(home), relative(home, file), { name, args: this.#command?.command.args });
  }

  /** For a turn without an end: the CLI may have said nothing of its command yet, and its transcript has it. */
  #emitUnfinishedCommand(): void {
    if (this.#command === undefined || !this.#turn.isOpen) return;
    const name = this.#translator.seen.expandedCommand ?? this.#command.command.name;
    const text = this.#writtenExpansion(name);
    if (text === undefined) return;
    this.#translator.seen.expandedCommand = name;
    this.#announceCommand();
    this.#options.emit({ type: 'expansion', name, text });
  }

  #timedOut(deadlineMs: number): void {
    this.#ending = true;
    this.#emitUnfinishedCommand();
    const waitsFor = this.#child === undefined ? undefined : this.#hooks.describe(this.#child.mainPid);
    this.#turn.fail('timed_out', describeDeadline(deadlineMs, this.#child, waitsFor));
    this.#child?.killNow('deadline of the turn');
  }

  #errorLine(line: string): void {
    this.#stderr.push(line);
    if (line.trim() !== '') this.#options.emit({ type: 'notice', level: 'warning', text: line });
  }

  #exited(exit: Exit): void {
    this.#control.close();
    this.#unreported.report(true);
    const stderr = this.#stderr.join('\n').slice(-4000);
    this.#emitServers(this.#lostServers.states(this.#options.home));
    this.#options.emit({
      type: 'process_ended',
      code: exit.code,
      signal: exit.signal,
      unexpected: !this.#ending,
      ...defined({ killedBy: exit.killedBy }),
      ...(stderr === '' ? {} : { stderr }),
      ...defined({ leftovers: exit.leftovers }),
    });
    this.#emitUnfinishedCommand();
    // What we killed had nothing to say about it.
    const said = exit.killedBy === undefined ? tellingLine(this.#stderr.slice(this.#saidBefore).join('\n')) : undefined;
    const why = said === undefined ? '' : `: ${said}`;
    this.#turn.fail('died', `Claude Code ended in the middle of the turn (${describeExit(exit)})${why}`);
    this.#turn.shut(`Claude Code has ended (${describeExit(exit)})`);
  }
}

function describeExit({ code, signal, killedBy }: Exit): string {
  if (killedBy !== undefined) return `killed: ${killedBy}`;
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}
