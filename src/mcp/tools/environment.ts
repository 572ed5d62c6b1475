import { countOf, defined } from '@understudy/kit';
import * as z from 'zod';
import { additive, defineTool, destructive, type Tool } from '../tool.js';
import { status } from './success.js';

/** An answer names this many files; the rest is a number. */
const SHOWN_FILES = 50;

const projectPath = z.string().describe('from create_test_project, or a folder below a root');

const createTestProject = defineTool({
  name: 'create_test_project',
  title: 'Create a test project',
  description:
    'Makes a small project that builds and whose tests run. Without output_path it lies in a scratch folder that goes when this session ends.',
  annotations: additive,
  input: z.strictObject({
    project_type: z.enum(['web-app', 'cli', 'library']),
    language: z.enum(['python', 'javascript', 'go']),
    output_path: z
      .string()
      .optional()
      .describe('a new or empty folder below the folders that the server allows; it stays'),
    project_name: z.string().optional(),
  }),
  output: z.object({
    status,
    project_path: z.string(),
    project_type: z.string(),
    language: z.string(),
    project_name: z.string(),
    files_created: z.array(z.string()),
    total_files: z.number(),
  }),
  async run({ project_type, language, output_path, project_name }, context) {
    const { projects } = await context.harness();
    const spec = { type: project_type, language, ...defined({ name: project_name }) };
    const { folder, name, files } = projects.create(spec, output_path);
    return {
      status: 'success' as const,
      project_path: folder,
      project_type,
      language,
      project_name: name.title,
      files_created: files.slice(0, SHOWN_FILES),
      total_files: files.length,
    };
  },
  text: ({ project_path, project_type, language, total_files }) =>
    `A ${project_type} in ${language} with ${countOf(total_files, 'file')}: ${project_path}`,
});

const setupGitRepo = defineTool({
  name: 'setup_git_repo',
  title: 'Make a git repository of a project',
  description: 'Initializes git in a project and commits everything in it, as a test identity.',
  annotations: additive,
  input: z.strictObject({ project_path: projectPath }),
  output: z.object({ status, commit_hash: z.string(), files_tracked: z.number() }),
  async run({ project_path }, context) {
    const { projects } = await context.harness();
    const { commit, files } = await projects.initRepository(project_path);
    return { status: 'success' as const, commit_hash: commit, files_tracked: files };
  },
  text: ({ commit_hash, files_tracked }) => `Commit ${commit_hash.slice(0, 8)} with ${countOf(files_tracked, 'file')}`,
});

const createSampleFiles = defineTool({
  name: 'create_sample_files',
  title: 'Put files into a project',
  description: 'Writes files into a project: all, or none if a path leads out of it, through a link or into .git.',
  annotations: { ...additive, destructiveHint: true, idempotentHint: true },
  input: z.strictObject({
    project_path: projectPath,
    file_specs: z
      .array(
        z.strictObject({
          path: z.string().describe('relative to the project: "src/module.py"'),
          content: z.string(),
          executable: z.boolean().optional(),
        }),
      )
      .min(1),
  }),
  output: z.object({
    status,
    files_created: z.number(),
    errors: z.array(z.string()).describe('always empty: all files are written, or none'),
    created: z.array(z.string()),
    overwritten: z.array(z.string()),
  }),
  async run({ project_path, file_specs }, context) {
    const { projects } = await context.harness();
    const { created, overwritten } = projects.addFiles(project_path, file_specs);
    return { status: 'success' as const, files_created: created.length, errors: [], created, overwritten };
  },
  text: ({ created, overwritten }) =>
    `${countOf(created.length, 'file')} created${overwritten.length === 0 ? '' : `, ${overwritten.length} overwritten`}`,
});

const resetTestEnvironment = defineTool({
  name: 'reset_test_environment',
  title: 'Go back to the beginning',
  description:
    'Ends the conversations and servers of this session, uninstalls its plugins, forgets its mocks, and removes its scratch projects. Folders that you named stay.',
  annotations: { ...destructive, idempotentHint: true },
  input: z.strictObject({}),
  output: z.object({
    status: z.literal(true),
    projects_cleaned: z.boolean(),
    sessions_cleaned: z.boolean(),
    conversations_ended: z.number(),
    servers_stopped: z.number(),
    plugins_uninstalled: z.number(),
    mocks_forgotten: z.number(),
    removed: z.array(z.string()),
    kept: z.array(z.object({ path: z.string(), reason: z.string() })).describe('left where it is, with the reason'),
  }),
  async run(_input, context) {
    const result = await (await context.harness()).reset();
    return {
      ...{ status: true as const, projects_cleaned: true, sessions_cleaned: true },
      conversations_ended: result.conversations,
      servers_stopped: result.servers,
      plugins_uninstalled: result.plugins,
      mocks_forgotten: result.mocks,
      removed: result.removed,
      kept: result.kept,
    };
  },
  text: ({ conversations_ended, servers_stopped, plugins_uninstalled, removed, kept }) =>
    `${conversations_ended} conversations ended, ${servers_stopped} servers stopped, ${plugins_uninstalled} plugins uninstalled, ${removed.length} folders and files removed${kept.length === 0 ? '' : `, ${kept.length} kept`}`,
});

const kinds = ['logs', 'screenshots', 'session_state', 'git_diffs', 'conversation'] as const;

const captureTestArtifacts = defineTool({
  name: 'capture_test_artifacts',
  title: 'Save what a test left behind',
  description:
    'Copies logs, images that tools showed, session state, file changes and the transcript into a folder. What is not there is listed under "absent".',
  annotations: additive,
  input: z.strictObject({
    test_name: z.string().min(1).max(200),
    artifact_types: z.array(z.enum(kinds)).min(1).default(['logs', 'conversation', 'session_state', 'git_diffs']),
    session_id: z.string().optional().describe('absent: all'),
  }),
  output: z.object({
    status,
    artifacts_dir: z.string(),
    files_captured: z.number(),
    artifact_paths: z.array(z.string()),
    absent: z.array(z.object({ type: z.string(), reason: z.string() })),
  }),
  async run({ test_name, artifact_types, session_id }, context) {
    const harness = await context.harness();
    const { capture } = await import('../harness/capture.js');
    const { conversations } = harness;
    const { folder, index, absent } = capture({
      root: harness.artifacts,
      name: test_name,
      kinds: artifact_types,
      conversations: session_id === undefined ? conversations.all : [conversations.find(session_id)],
    });
    return {
      status: 'success' as const,
      artifacts_dir: folder,
      files_captured: index.files.length,
      artifact_paths: index.files.map(({ path }) => path),
      absent: absent.map(({ kind, reason }) => ({ type: kind, reason })),
    };
  },
  text: ({ artifacts_dir, files_captured, absent }) =>
    [
      `${countOf(files_captured, 'file')} in ${artifacts_dir}`,
      ...absent.map(({ type, reason }) => `no ${type}: ${reason}`),
    ].join('\n'),
  links: ({ artifacts_dir, artifact_paths }) =>
    artifact_paths.map((path) => ({
      uri: `understudy://artifacts/${artifacts_dir.split('/').at(-1)}/${path}`,
      name: path,
    })),
});

/** What a test needs around it: projects, files, a clean start, things to keep. */
export const environmentTools: readonly Tool[] = [
  createTestProject,
  setupGitRepo,
  createSampleFiles,
  resetTestEnvironment,
  captureTestArtifacts,
];
