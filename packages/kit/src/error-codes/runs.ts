/** The command line, checks, Vitest and pytest, and everything else. */
export const runCodes = {
  BAD_FLAG: {
    meaning: 'A flag or argument of the command line has a wrong value.',
    fix: 'Correct it as the message says, or see `--help`.',
  },
  BEFORE_FAILED: {
    meaning: 'A program of `[[before]]` failed, so the steps of the rehearsal were not played.',
    fix: 'Correct the program; the message has what it printed.',
  },
  ISOLATION_HOME_IS_PROJECT: {
    meaning: 'The project folder is your home, or holds it. A sandbox hides your home, so it cannot show this project.',
    fix: 'Use a project folder of its own, or `--isolation none`.',
  },
  ISOLATION_HOME_IS_SHOWN: {
    meaning:
      'A plugin, or `{{here}}` of a file that lies in your home itself, is the home. A sandbox hides homes, so it cannot show all of one.',
    fix: 'Move it into a folder of its own, or use `--isolation none`.',
  },
  ISOLATION_NOT_AVAILABLE: {
    meaning:
      'The isolation that was asked for does not work on this machine. As a warning in CI: `auto` is `none` here, so nothing keeps agents and plugins apart from the machine.',
    fix: 'See `understudy doctor` and docs/isolation.md. `--isolation auto` takes the best that works, `required` is never `none`.',
  },
  WITNESS_BLIND: {
    meaning:
      'Before the first sandbox of a run, one event is planted for each witness (a file, a record, a packet without a route, a question to the model), and one of them was not seen: what such a witness does not see would mean nothing.',
    fix: 'Use `--isolation none`, and tell us, with the output of `understudy doctor`.',
  },
  OWN_FOLDER_IS_LINK: {
    meaning: 'The folder `.understudy` or `.e2e-tests` is a link, which could lead to files of others.',
    fix: 'Remove the link. Understudy then makes a folder there.',
  },
  CONFIG_INVALID: {
    meaning: '`understudy.toml` has a field or a value that is not known.',
    fix: 'Correct what the message names. docs/configuration.md lists the fields.',
  },
  RUN_DECLINED: {
    meaning: 'A run would call real models, and the person at the terminal did not confirm it.',
    fix: 'Answer `y`, or give `--yes`.',
  },
  TARGET_UNKNOWN: {
    meaning: '`--target` names a row of the matrix that `understudy.toml` does not define.',
    fix: 'Use a name of `[[targets]]`, or define it.',
  },
  OPTIONS_INVALID: {
    meaning: 'A program or a configuration gives an option that is not known, or has a wrong value.',
    fix: 'Correct the option that the message names; the types of TypeScript name them all.',
  },
  PART_UNUSABLE: {
    meaning:
      'A module of yours (a reporter, a check, a suite, a rehearsal in code) cannot be imported, never settles, or does not export what it should.',
    fix: 'Correct what the message names. docs/reporters.md, docs/checks.md, docs/suites.md and docs/rehearsals.md have examples.',
  },
  PART_FAILED: {
    meaning: 'A module of yours threw, rejected, did not end, or gave what cannot be used while a run used it.',
    fix: 'Correct the module. The run ends with 2, so that this is not missed.',
  },
  NOTHING_TO_RUN: {
    meaning: 'No rehearsal was found, or none is left after the filters. Nothing ran, so nothing passed.',
    fix: 'Name a rehearsal or its folder, and check the filters. `understudy init` writes a first one.',
  },
  REPORTS_NOT_MERGED: {
    meaning: 'The results do not belong to one run: a shard is missing or there twice, or the runs differ.',
    fix: 'Name the result of each shard of one run, once.',
  },
  TRACES_NOT_SENT: {
    meaning: 'The collector that `--reporter otlp=` names did not take the traces of the run.',
    fix: 'Check the address, and that a collector for OTLP over HTTP answers there.',
  },
  RESULT_UNREADABLE: {
    meaning: 'The file or folder holds no result of a run that this version can read.',
    fix: 'Name a folder that `--output` wrote, or its result.json.',
  },
  EXPORT_REFUSED: {
    meaning: '`report export` cannot make one file of this test, or does not know which test is meant.',
    fix: 'Name one test of the run, as `report show` lists them, and leave out with `--without` what the message names.',
  },
  REPRO_INVALID: {
    meaning: 'The file is no test that `report export` wrote, or a path in it leads out of its folder.',
    fix: 'Do not play it. Ask whoever sent it to export the test again.',
  },
  REPRO_CHANGED: {
    meaning: 'The folder in which an exported test is unpacked has been changed since.',
    fix: 'Run the rehearsal in that folder, or remove the folder to begin anew.',
  },
  REPRO_LIVE: {
    meaning: 'An exported test asks for a real model, which costs money and gets your credentials.',
    fix: 'Read the file. If you trust it, give `--stage live`; or play it with `--stage scripted`.',
  },
  NO_RUN_YET: {
    meaning: 'There is no stored run in this folder.',
    fix: 'Run `understudy run` first, or name a result.',
  },
  NOTHING_TO_RESUME: {
    meaning: '`run --resume` found no run that was killed after one of its entries had ended.',
    fix: 'Run without `--resume`. If the killed run had `--output`, name the same folder.',
  },
  RESUME_PLAN_CHANGED: {
    meaning: 'The run that was killed had other tests, files, agents, stages or flags than this one.',
    fix: 'Run without `--resume`, or give the same paths and flags and put back what was changed.',
  },
  RUN_FOLDER_LOCKED: {
    meaning: 'Another run uses the same folder, and did not release it in time.',
    fix: 'Wait for that run to end, run in another folder, or remove the lock file that the message names.',
  },
  NOTHING_TO_CHECK: {
    meaning: 'There is no scenario, rehearsal or workflow in the given paths.',
    fix: 'Name a file, or a folder with such files.',
  },
  NOTHING_PLAYED: {
    meaning: '`understudy play` got no prompt.',
    fix: "Pipe lines into it: printf 'hello\\n' | understudy play FILE.",
  },
  SHIM_IN_THE_WAY: {
    meaning: 'A file that Understudy did not write has the name of a shim.',
    fix: 'Name another folder.',
  },
  SCAFFOLD_NO_PLUGIN: {
    meaning: '`understudy init` found no plugin in the folder.',
    fix: 'Go to the folder of a plugin, or name it.',
  },
  SCAFFOLD_BROKEN_PLUGIN: {
    meaning: 'The plugin cannot be read.',
    fix: 'Correct what the message names, then run `understudy init` again.',
  },
  SCAFFOLD_EXISTS: {
    meaning: 'The file that `understudy init` would write exists.',
    fix: 'Run it, or write it again with `--force`.',
  },
  SCAFFOLD_PROGRAM_FAILED: {
    meaning: '`understudy init --program` ran the program, and it called no agent or did not end.',
    fix: 'Give it the arguments with which it calls an agent and ends.',
  },
  SCAFFOLD_NO_PROGRAM: {
    meaning: '`understudy init` cannot start the program that it was given.',
    fix: 'Check its path, or put it on PATH.',
  },
  SCAFFOLD_NO_PROMPT: {
    meaning: 'The help of the program does not say how it gets its prompt.',
    fix: 'Say it with `--prompt`, such as `--prompt "--task {{prompt}}"`.',
  },
  CHECK_NO_KEYWORDS: {
    meaning: 'A keyword check has no keywords, or an empty one.',
    fix: 'Name at least one word.',
  },
  CHECK_BAD_MINIMUM: {
    meaning: 'The minimum of a feedback check is not a whole number from 1 up.',
    fix: 'Give such a number.',
  },
  WORKFLOW_MISSING: {
    meaning: 'The conversation follows no workflow, so it has no workflow stage.',
    fix: 'Name a workflow when the conversation starts.',
  },
  EXPECTATION_INVALID: {
    meaning: 'A test in code expects something that cannot be read, or cannot be seen there.',
    fix: 'Correct the fields that the message names; they are those of `expect` in a rehearsal.',
  },
  PROTOCOL_BAD_REQUEST: {
    meaning: 'A line that `understudy pipe` got is not a request that it knows.',
    fix: 'Correct it as the message says; docs/pytest.md lists the methods.',
  },
  PROTOCOL_UNKNOWN: {
    meaning: 'A request to `understudy pipe` names a test, conversation, place or run that does not exist.',
    fix: 'Use a number that an answer gave, and use it before its test ends.',
  },
  NOT_A_TURN: {
    meaning: 'What an expectation is held against is neither a turn nor a conversation, and no run of a program.',
    fix: 'Await the turn: `await conversation.send("…")`.',
  },
  NOTHING_SAID: {
    meaning: 'The conversation has no turn yet, so there is nothing to check.',
    fix: 'Send something first: `await conversation.send("…")`.',
  },
  NO_PLUGIN_NAMED: {
    meaning: 'The test uses a plugin but names none.',
    fix: "Name one: test.override({ plugins: ['./my-plugin'] }).",
  },
  READ_ONLY: {
    meaning: 'The file system is read-only (EROFS).',
    fix: 'Run it in a folder that can be written to.',
  },
  NO_FOLDER_HERE: {
    meaning: 'The system allows no new folder in this place, such as below /proc (ENOENT of mkdir).',
    fix: 'Use another place.',
  },
  NO_PERMISSION: {
    meaning: 'There is no permission to read or write a file or folder (EACCES, EPERM).',
    fix: 'Give this user the right to it, or use another folder.',
  },
  NOT_A_FOLDER: {
    meaning: 'A file has the name of a folder (ENOTDIR, EEXIST).',
    fix: 'Rename or remove the file.',
  },
  DISK_FULL: {
    meaning: 'The disk is full (ENOSPC, EDQUOT).',
    fix: 'Free space on the disk that the message names, or on that of the temp folder (TMPDIR).',
  },
  NAME_TOO_LONG: {
    meaning: 'A name, a path or a command is longer than the system allows (ENAMETOOLONG, E2BIG).',
    fix: 'Use a shorter one.',
  },
  NUL_IN_NAME: {
    meaning: 'A name, a path or an argument has a NUL character in it.',
    fix: 'Remove the character, which is written as \\u0000 or \\0.',
  },
  TOO_MANY_OPEN_FILES: {
    meaning: 'Too many files are open (EMFILE, ENFILE).',
    fix: 'Raise the limit, such as `ulimit -n 4096`, or use fewer `--workers`.',
  },
  SYSTEM_ERROR: {
    meaning: 'The operating system refused something. The message has its own code, such as EIO.',
    fix: 'Check the path or program that the message names.',
  },
  INTERNAL: {
    meaning: 'This is a fault in Understudy.',
    fix: 'Report it, with the stack trace and what you ran.',
  },
} as const;
