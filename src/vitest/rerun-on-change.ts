import { isInside } from '@understudy/kit';
import type { Reporter, TestProject } from 'vitest/node';

declare module 'vitest' {
  interface TaskMeta {
    /** The plugins, scenarios, workflows and cassettes that the test reads. */
    rehearsalReads?: string[];
  }
}

type Vitest = TestProject['vitest'];
type TestFile = ReturnType<Vitest['state']['getFiles']>[number];
type Task = TestFile['tasks'][number];

const known = new WeakSet<Vitest>();

/**
 * In watch mode, a change of a plugin, scenario, workflow or cassette runs the test files again that read it. Vitest by
 * itself knows only what a test imports.
 */
export function rerunOnChange({ vitest }: TestProject): void {
  // Each project of a workspace has its own set-up, and all have one watcher.
  if (!vitest.config.watch || known.has(vitest)) return;
  known.add(vitest);
  vitest.config.watchTriggerPatterns = [
    ...(vitest.config.watchTriggerPatterns ?? []),
    { pattern: /./, testsToRun: (file) => readersOf(vitest, file) },
  ];
  // Vite watches its root only; what is elsewhere is known after the first run.
  (vitest as Vitest & { reporters?: Reporter[] }).reporters?.push({
    onTestRunEnd: () => {
      vitest.vite.watcher.add(vitest.state.getFiles().flatMap(readsOf));
    },
  });
}

/** Nothing for what Vitest itself knows: test files, and what they import. */
function readersOf(vitest: Vitest, file: string): string[] | undefined {
  if (vitest.projects.some((project) => project.vite.moduleGraph.getModulesByFile(file)?.size)) return undefined;
  const readers = vitest.state.getFiles().filter((test) => readsOf(test).some((path) => isInside(path, file)));
  return readers.length === 0 ? undefined : readers.map(({ filepath }) => filepath);
}

function readsOf(task: TestFile | Task): string[] {
  return [...(task.meta.rehearsalReads ?? []), ...('tasks' in task ? task.tasks.flatMap(readsOf) : [])];
}
