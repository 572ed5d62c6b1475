/** The orchestrator suite, its reports, and the reference loop. */
export const orchestratorCodes = {
  SUITE_NO_ORCHESTRATOR: {
    meaning: 'There is no orchestrator to test.',
    fix: 'Name a ralph with `--ralph` or RALPH_BIN, or put it on PATH. With `--loop` the reference loop is tested.',
  },
  SUITE_NO_RALPH: {
    meaning: 'The program named as ralph does not answer `--version`.',
    fix: 'Name one that works with `--ralph` or RALPH_BIN, or test the reference loop with `--loop`.',
  },
  SUITE_NO_VERSION: {
    meaning: 'The `--version` of the program named as ralph prints nothing.',
    fix: 'Make it print its version: where it keeps its files depends on it.',
  },
  SUITE_NO_WORKSPACE: {
    meaning: 'The suite cannot create its workspaces.',
    fix: 'Run it in a folder that you may write to.',
  },
  SUITE_NOT_A_REPORT: {
    meaning: 'The file is not a report of the suite.',
    fix: 'Give the report.md that `understudy e2e --report markdown` wrote.',
  },
  SUITE_REPORT_DAMAGED: {
    meaning: 'The report was changed and cannot be read.',
    fix: 'Run the suite again, or read report.json.',
  },
  CONTRACT_INVALID: {
    meaning: 'The contract of an orchestrator has problems. Each one is listed with its location.',
    fix: 'Correct each problem in the list.',
  },
  CONTRACT_NO_PROMPT: {
    meaning: 'A contract does not say how the orchestrator gets its prompt.',
    fix: 'Put `{{prompt}}` or `{{prompt_file}}` into `run`, `env` or `files`.',
  },
  CONTRACT_UNKNOWN_PLACEHOLDER: {
    meaning: 'A contract has a placeholder that does not exist.',
    fix: 'Use one of the placeholders in docs/your-orchestrator.md.',
  },
  CONTRACT_SAME_ENDING: {
    meaning: 'Two endings of a contract cannot be distinguished, or one of them has no condition.',
    fix: 'Give each its own exit code, words of the output, or file.',
  },
  CONTRACT_STAGE: {
    meaning: 'The cases for orchestrators by contract need a script, and the stage has none.',
    fix: 'Use `--stage sim` or `--stage scripted`.',
  },
  ANALYZER_INVALID: {
    meaning: 'The configuration of the analyzer has problems. Each one is listed with its location.',
    fix: 'Correct each problem in the list.',
  },
  LOOP_CONFIG_INVALID: {
    meaning: 'ralph.yml has problems. Each one is listed with its location.',
    fix: 'Correct each problem in the list.',
  },
  LOOP_NO_OBJECTIVE: {
    meaning: 'The loop has no objective.',
    fix: 'Give one with -p, in a file with -P, or as `event_loop.prompt`.',
  },
  LOOP_NOTHING_TO_CONTINUE: {
    meaning: '`--continue` needs the scratchpad of an earlier run, and there is none.',
    fix: 'Run without `--continue`.',
  },
  MEMORY_EMPTY: {
    meaning: 'A memory needs content.',
    fix: 'Say what to remember.',
  },
  MEMORY_NOT_FOUND: {
    meaning: 'There is no memory with this id.',
    fix: 'See the ids with `memory list`.',
  },
  MEMORY_LOCKED: {
    meaning: 'Another process holds the lock of the memory file.',
    fix: 'Wait for that process to end, or remove the lock file if it is dead.',
  },
} as const;
