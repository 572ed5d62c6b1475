import { closeSync, fstatSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  asksModel,
  CALL_VARIABLE,
  CALLS_VARIABLE,
  type CallStream,
  claimCall,
  tell,
  writeEnd,
  writeStart,
  writeUnsupported,
} from '@understudy/agents';
import { RequestLog } from './request-log.js';

/** The files of the call that this process is, while they are open. */
let streams: Record<CallStream, number> | undefined;
let ownFolder: string | undefined;

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGQUIT'] as const;

/**
 * A stand-in records itself, if it is asked to: no process stands before it, so signals, terminals and exit codes
 * are its own, and it costs next to nothing.
 */
export function recordThisCall(program: string, asking: readonly string[]): void {
  const calls = process.env[CALLS_VARIABLE] ?? '';
  if (calls === '') return;
  const words = process.argv.slice(2);
  const asks = asksModel(asking, words, isTerminal());
  const { folder, number } = claimCall(calls, asks);
  ownFolder = folder;
  if (asks) process.env[CALL_VARIABLE] = String(number);
  if (!tell('call', `${calls}\0${basename(folder)}`)) {
    const open = (name: CallStream) => openSync(join(folder, name), 'w', 0o600);
    streams = { stdin: open('stdin'), stdout: open('stdout'), stderr: open('stderr') };
  }
  writeStart(folder, {
    pid: process.pid,
    parent: { pid: process.ppid, command: commandOf(process.ppid) },
    cwd: process.cwd(),
    words: [program, ...words],
  });
  process.once('exit', (code) => {
    for (const stream of Object.values(streams ?? {})) closeSync(stream);
    streams = undefined;
    writeEnd(folder, { code });
  });
  for (const signal of SIGNALS) {
    const onSignal = () => {
      // Whoever else listens decides what becomes of us.
      if (process.listenerCount(signal) > 0) return;
      writeEnd(folder, { signal });
      process.kill(process.pid, signal);
    };
    process.once(signal, onSignal);
  }
}

/** Notes what went in or out. */
export function recordStream(stream: CallStream, text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  // Of a conversation, too: whoever reads its output finds out what somebody else wrote into it.
  if (bytes.length > 0) tell(stream, bytes);
  if (streams === undefined) return;
  if (bytes.length > 0) writeSync(streams[stream], bytes);
}

/**
 * Notes that the real program could do what is asked for, and the stand-in cannot: whoever started it may not notice.
 * A call has a record of its own; of a conversation, the log says it.
 */
export function recordUnsupported(what: string): void {
  if (ownFolder !== undefined) writeUnsupported(ownFolder, what);
  else new RequestLog(process.env['UNDERSTUDY_LOG']).writeUnsupported(what);
}

/** A device that is not /dev/null. Node's own test would load its modules for sockets. */
function isTerminal(): boolean {
  try {
    const stdin = fstatSync(0);
    return stdin.isCharacterDevice() && stdin.rdev !== statSync('/dev/null').rdev;
  } catch {
    return false;
  }
}

/** Linux gives it without another process. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
