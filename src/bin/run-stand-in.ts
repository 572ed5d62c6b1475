import { asksModel } from '@understudy/agents';
import { isCompiled } from '@understudy/kit';
import { recordThisCall, writeOut } from '@understudy/stand-ins';
import { useCodeCache } from './code-cache.js';

/** What every stand-in gets of its own process. */
interface StandInProcess {
  argv: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  streams: { out: (text: string) => void; error: (text: string) => void };
}

/** Plays this process as a CLI that asks its model by these words, from the record of the call to the exit code. */
export function runStandIn(
  program: string,
  asking: readonly string[],
  load: () => Promise<(own: StandInProcess) => Promise<number>>,
): void {
  const argv = process.argv.slice(2);
  // What plays nothing, and what fails, has called little of the code.
  if (!isCompiled) useCodeCache(`understudy-${program}`, { keeps: asksModel(asking, argv, false), worstExit: 0 });
  recordThisCall(program, asking);
  load()
    .then((play) =>
      play({
        argv,
        env: process.env,
        cwd: process.cwd(),
        streams: { out: (text) => writeOut(1, text), error: (text) => writeOut(2, text) },
      }),
    )
    // A process that a tool left in the background must not keep us.
    .then((code) => process.exit(code))
    .catch(async (error: unknown) => {
      const { printError } = await import('../cli/output.js');
      printError(error);
      process.exit(2);
    });
}
