/** Test projects, their files, git and development servers. */
export const workspaceCodes = {
  WORKSPACE_BAD_PROJECT: {
    meaning: 'The description of a test project is not valid.',
    fix: 'Use a type (web-app, cli, library) and a language (python, javascript, go).',
  },
  WORKSPACE_BAD_NAME: {
    meaning: 'The name cannot be the name of a test project.',
    fix: 'Use letters, digits, spaces, ".", "-" and "_". Begin with a letter.',
  },
  WORKSPACE_NOT_EMPTY: {
    meaning: 'The folder for a new test project is not empty.',
    fix: 'Name a new or empty folder.',
  },
  WORKSPACE_ALREADY_GIT: {
    meaning: 'The folder is already a git repository.',
    fix: 'Use it as it is, or make a new project.',
  },
  WORKSPACE_GIT_FAILED: {
    meaning: 'A git command failed.',
    fix: 'Run the same command by hand in that folder.',
  },
  WORKSPACE_PATH_REFUSED: {
    meaning: 'A path leads out of the workspace, or through a link.',
    fix: 'Give a plain relative path, such as "src/main.py".',
  },
  WORKSPACE_SPECIAL_FILE: {
    meaning: 'A folder that is copied holds a named pipe, a socket or a device.',
    fix: 'Remove it from the folder.',
  },
  WORKSPACE_FILE_CONFLICT: {
    meaning: 'Two files have the same path, or a file has the path of a folder.',
    fix: 'Give each file its own path.',
  },
  WORKSPACE_WRITE_FAILED: {
    meaning: 'Files could not be written. Nothing was left behind.',
    fix: 'Check the permissions and the free space.',
  },
  WORKSPACE_TOO_LARGE: {
    meaning: 'The folder holds more files than a snapshot may have.',
    fix: 'Leave folders out with `ignore`, or raise `mostEntries`.',
  },
  WORKSPACE_ARTIFACT_NAME: {
    meaning: 'The name cannot be the name of an artifact.',
    fix: 'Give a plain file name, such as "events.jsonl".',
  },
  WORKSPACE_ARTIFACT_TWICE: {
    meaning: 'Two artifacts of a kind have the same name.',
    fix: 'Give each artifact its own name.',
  },
  WORKSPACE_WRONG_ROOT: {
    meaning: 'The list of files belongs to another workspace.',
    fix: 'Reset a workspace with the list of its own run.',
  },
  WORKSPACE_NO_SERVER: {
    meaning: 'The project has no development server.',
    fix: 'Use `type = "web-app"`, or name the command.',
  },
  WORKSPACE_SERVER_ENDED: {
    meaning: 'The development server, or a service of a rehearsal, ended before it was ready.',
    fix: 'Start it by hand in the project with PORT set.',
  },
  WORKSPACE_SERVER_SILENT: {
    meaning: 'The development server, or a service of a rehearsal, was not ready in time.',
    fix: 'Start it by hand in the project with PORT set, and check that it listens there.',
  },
  WORKSPACE_UNREADABLE: {
    meaning: 'A file or folder of the workspace cannot be read.',
    fix: 'Give the user who runs understudy the right to read all files and folders in it.',
  },
} as const;
