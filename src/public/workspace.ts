export { type Artifact, type ArtifactIndex, type CaptureOptions, captureArtifacts } from '../workspace/artifacts.js';
export { type Change, compareSnapshots, formatChanges } from '../workspace/compare-snapshots.js';
export { createProject, type Project } from '../workspace/create-project.js';
export { type DevServer, type DevServerOptions, startDevServer, startProjectServer } from '../workspace/dev-server.js';
export {
  type Commit,
  commitAll,
  type GitOptions,
  git,
  initRepository,
  listCommits,
  type RepositoryOptions,
} from '../workspace/git.js';
export { type MadeFiles, madeBetween, type Reset, resetMadeFiles } from '../workspace/made-files.js';
export type { Language, ProjectSpec, ProjectType } from '../workspace/project-spec.js';
export { type SampleFile, type WrittenFiles, writeSampleFiles } from '../workspace/sample-files.js';
export { type Snapshot, type SnapshotOptions, takeSnapshot } from '../workspace/snapshot.js';
