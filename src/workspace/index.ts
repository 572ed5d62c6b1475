export { type Artifact, type ArtifactIndex, type CaptureOptions, captureArtifacts } from './artifacts.js';
export { type Change, compareSnapshots, formatChanges } from './compare-snapshots.js';
export { createProject, type Project } from './create-project.js';
export { type DevServer, type DevServerOptions, startDevServer, startProjectServer } from './dev-server.js';
export {
  type Commit,
  commitAll,
  type GitOptions,
  git,
  initRepository,
  listCommits,
  type RepositoryOptions,
} from './git.js';
export { type MadeFiles, madeBetween, type Reset, resetMadeFiles } from './made-files.js';
export type { Language, ProjectSpec, ProjectType } from './project-spec.js';
export { type SampleFile, type WrittenFiles, writeSampleFiles } from './sample-files.js';
export { type Snapshot, type SnapshotOptions, takeSnapshot } from './snapshot.js';
