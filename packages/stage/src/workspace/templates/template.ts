import type { ProjectName } from '../project-name.js';

/** A kind of test project: its files, and how it is tested and served. */
export interface Template {
  files(name: ProjectName): Record<string, string>;
  testCommand: readonly string[];
  /** Web projects: listens on the port in PORT. */
  serveCommand?: readonly string[];
  /** Command line projects: what to put arguments behind. */
  runCommand?: readonly string[];
}
