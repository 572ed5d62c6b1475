import { setTimeout as sleep } from 'node:timers/promises';
import type { StartOptions } from '../driver.js';
import { Terminal } from '../terminal/terminal.js';
import { prepareClaude } from './home.js';

export type TerminalStart = Pick<
  StartOptions,
  'found' | 'model' | 'cwd' | 'home' | 'plugins' | 'args' | 'environment'
> & {
  columns?: number;
  rows?: number;
};

const PERMISSION_DIALOG = /Do you want to (proceed|create|make|allow|fetch|use)[\s\S]*❯? *1\. Yes/;

/** Claude Code as people see it: its screen in a terminal, typed at and read. */
export class ClaudeTerminal {
  readonly terminal: Terminal;

  private constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  /** Starts it and waits for its prompt box. */
  static async start(options: TerminalStart): Promise<ClaudeTerminal> {
    const { found, cwd, plugins = [], args = [], columns, rows } = options;
    const env = prepareClaude(options);
    const terminal = await Terminal.start({
      command: [
        ...found.command,
        // Its own default lets tools run unasked, and then there is no dialog to test.
        ...(args.includes('--permission-mode') ? [] : ['--permission-mode', 'default']),
        ...plugins.flatMap((folder) => ['--plugin-dir', folder]),
        ...args,
      ],
      cwd,
      env,
      ...(columns === undefined ? {} : { columns }),
      ...(rows === undefined ? {} : { rows }),
    });
    try {
      await terminal.waitFor(/^[│|]? ?[>❯]/m);
      await terminal.settle();
    } catch (error) {
      await terminal.end();
      throw error;
    }
    return new ClaudeTerminal(terminal);
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

  end(): Promise<void> {
    return this.terminal.end();
  }
}
