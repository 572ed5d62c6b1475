import { nativeProgram } from '../../packages/kit/src/process/native-program.js';
import { LONG } from './seeded.js';

const native = nativeProgram();

/** Why the compiled stand-ins are not tested. In CI they must be there. */
export const notCompiled =
  native.file === undefined && process.env['CI'] !== 'true'
    ? `the stand-ins are not compiled (npm run build:native): ${native.reason}`
    : undefined;

/** For all cases on one program; one for another processor is emulated. */
export const COMPILED_TIMEOUT = { timeout: LONG ? 3_600_000 : 300_000 };

/** What differs in each case, two cases at a time. */
export async function differingCases<Case extends { name: string }>(
  cases: readonly Case[],
  differencesOf: (test: Case) => Promise<readonly string[]>,
): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  const rest = [...cases];
  const work = async (): Promise<void> => {
    for (let test = rest.shift(); test !== undefined; test = rest.shift()) {
      const differences = await differencesOf(test);
      if (differences.length > 0) found[test.name] = differences;
    }
  };
  await Promise.all([work(), work()]);
  return found;
}
