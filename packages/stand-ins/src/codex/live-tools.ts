import { randomBytes, randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { type LiveTools, plainTools } from '../shared/tools/plain-tools.js';
import { runShell, shellProgram } from '../shared/tools/shell.js';
import { commandEnvironment } from './environment.js';
import { applyPatch } from './patch.js';
import { patchInCommand } from './patch-command.js';

/** After this time Codex gives the model what a command has printed so far. */
const YIELD_MS = 10_000;
/** The stand-in ends a command that nobody asks about any more. */
const TIMEOUT_MS = 600_000;

/** The live tools of Codex: its shell, which also takes patches. Commands receive the session. */
export const codexLiveTools = (ids: NodeJS.ProcessEnv): LiveTools => ({
  ...plainTools,
  shell: async ({ cmd, yield_time_ms, workdir }, { cwd: base, env }) => {
    const cwd = resolve(base, typeof workdir === 'string' ? workdir : '.');
    const text = String(cmd ?? '');
    const patched = patchInCommand(text);
    if (patched !== undefined) {
      const result = applyPatch(patched.patch, resolve(cwd, patched.folder));
      return result.isError ? result : { ...result, text: `Wall time: 0.0000 seconds\nOutput:\n${result.text}` };
    }
    const yieldMs = typeof yield_time_ms === 'number' ? yield_time_ms : YIELD_MS;
    const started = Date.now();
    const { output, exitCode, running } = await runShell(text, {
      ...{ cwd, env: { ...commandEnvironment(env), ...ids }, yieldMs, timeoutMs: TIMEOUT_MS },
      commandLine: [shellProgram(), '-lc', text],
    });
    // Codex starts its clock when the shell runs; ours has the start of the shell in it.
    const seconds = Math.max(0, Date.now() - started - 1000) / 1000;
    const ended = running
      ? `Process running with session ID ${randomInt(10_000, 100_000)}`
      : `Process exited with code ${exitCode}`;
    const tokens = Math.ceil(Buffer.byteLength(output) / 4);
    return {
      text: `Chunk ID: ${randomBytes(3).toString('hex')}\nWall time: ${seconds.toFixed(4)} seconds\n${ended}\nOriginal token count: ${tokens}\nOutput:\n${output}`,
      isError: !running && exitCode !== 0,
      shell: { output, exit: running ? null : exitCode, ...(running ? { running } : {}) },
    };
  },
  // A free text, under whatever name the script gives it.
  apply_patch: async (input, { cwd }) => applyPatch(String(Object.values(input)[0] ?? ''), cwd),
});
