import { setTimeout as sleep } from 'node:timers/promises';
import { createTempFolder, defined, type Scratch, UntrustedFolder } from '@understudy/kit';
import type { StartOptions, TerminalProgram } from '../driver.js';
import type { EventBody } from '../events.js';
import { Terminal } from '../terminal/terminal.js';
import { UnreadableEvents } from '../unreadable-events.js';
import { prepareClaude } from './home.js';
import { recordedEvents } from './hook-recorder.js';
import { TranscriptReader } from './transcript-reader.js';

export type TerminalStart = Pick<
  StartOptions,
  'found' | 'model' | 'modelName' | 'cwd' | 'home' | 'plugins' | 'args' | 'environment'
> & {
  columns?: number;
  rows?: number;
};

const PERMISSION_DIALOG = /Do you want to (proceed|create|make|allow|fetch|use)[\s\S]*❯? *1\. Yes/;

/** Its screen: a prompt box is there. */
export const claudeInTerminal: TerminalProgram = {
  ready: /^[│|]? ?[>❯]/m,
  start: (options, temp) => ({ command: terminalCommand(options), env: prepareClaude(options, temp) }),
  observe({ home, stage, recorder }) {
    const files = new UntrustedFolder(home);
    const transcripts = new TranscriptReader(files, stage);
    const unreadable = new UnreadableEvents(files, recorder);
    const told = new Set<string>();
    return {
      reports: recorder === undefined ? ['tools'] : ['tools', 'hooks', 'untold_hooks'],
      read: () => [...transcripts.read(), ...endedHooks(recorder, told), ...unreadable.look()],
    };
  },
};

/** Hooks that have ended since the last look. */
function endedHooks(recorder: StartOptions['recorder'], told: Set<string>): EventBody[] {
  const ended = (recorder?.readLog(told) ?? []).filter(({ exitCode }) => exitCode !== undefined);
  for (const { id } of ended) told.add(id);
  return ended.flatMap(recordedEvents);
}

/** Claude Code as people see it: its screen in a terminal, typed at and read. */
export class ClaudeTerminal {
  readonly terminal: Terminal;
  readonly #temp: Scratch;

  private constructor(terminal: Terminal, temp: Scratch) {
    this.terminal = terminal;
    this.#temp = temp;
  }

  /** Starts it and waits for its prompt box. */
  static async start(options: TerminalStart): Promise<ClaudeTerminal> {
    const temp = createTempFolder();
    let terminal: Terminal | undefined;
    try {
      terminal = await openTerminal(options, temp.path);
      await terminal.waitFor(claudeInTerminal.ready);
      await terminal.settle();
    } catch (error) {
      await terminal?.end();
      await temp.remove();
      throw error;
    }
    return new ClaudeTerminal(terminal, temp);
  }

  /** Types a prompt and sends it. */
  async submit(text: string): Promise<void> {
    this.terminal.type(text);
    // Enter right behind the text would be taken for part of a paste.
    await sleep(150);
    await this.terminal.settle(150, 2000);
    this.terminal.press('enter');
  }

  /** Waits for text on the screen, and gives the screen. */
  waitFor(wanted: string | RegExp, milliseconds?: number): Promise<string> {
    return this.terminal.waitFor(wanted, milliseconds);
  }

  /** Waits for a permission dialog and answers it. */
  async answerPermission(answer: 'yes' | 'no', milliseconds?: number): Promise<string> {
    const screen = await this.terminal.waitFor(PERMISSION_DIALOG, milliseconds);
    await this.terminal.settle(150, 2000);
    if (answer === 'yes') this.terminal.type('1');
    else this.terminal.press('escape');
    return screen;
  }

  screen(): string {
    return this.terminal.text();
  }

  svg(): string {
    return this.terminal.svg();
  }

  async end(): Promise<void> {
    await this.terminal.end();
    await this.#temp.remove();
  }
}

function openTerminal(options: TerminalStart, temp: string): Promise<Terminal> {
  const { cwd, columns, rows } = options;
  return Terminal.start({
    ...{ command: terminalCommand(options), cwd, env: prepareClaude(options, temp) },
    ...defined({ columns, rows }),
  });
}

function terminalCommand({ found, modelName, plugins = [], args = [] }: TerminalStart): string[] {
  return [
    ...found.command,
    // Its own default lets tools run unasked, and then there is no dialog to test.
    ...(args.includes('--permission-mode') ? [] : ['--permission-mode', 'default']),
    ...(modelName === undefined ? [] : ['--model', modelName]),
    ...plugins.flatMap((folder) => ['--plugin-dir', folder]),
    ...args,
  ];
}
