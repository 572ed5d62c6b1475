/** Files that people write: scenarios, rehearsals, workflows, configurations. */
export const documentCodes = {
  FILE_NOT_FOUND: {
    meaning: 'A file or folder that was named does not exist.',
    fix: 'Check the path. On the command line it is relative to the current folder, in a file to that file.',
  },
  FILE_UNREADABLE: {
    meaning: 'A file exists but cannot be read.',
    fix: 'Check its permissions, and that it is a file.',
  },
  FOLDER_NOT_FOUND: {
    meaning: 'A folder of a plugin or a project does not exist.',
    fix: 'Check the path. In a rehearsal or a test it is relative to that file.',
  },
  DOCUMENT_SYNTAX: {
    meaning: 'The file is not valid TOML, JSON or YAML.',
    fix: 'Correct the line that the message shows.',
  },
  DOCUMENT_TOO_LARGE: {
    meaning: 'The file is larger than 32 MB.',
    fix: 'Split it, or move large contents into files of their own with `$file`.',
  },
  SCENARIO_INVALID: {
    meaning: 'A scenario or rehearsal has problems. Each one is listed with its own code and location.',
    fix: 'Correct each problem in the list.',
  },
  SCENARIO_MISSING: {
    meaning: 'No scenario was given, so the scripted model has no answers.',
    fix: 'Give a scenario: a file with `--scenario` or UNDERSTUDY_SCENARIO, or `scenario` in code.',
  },
  WORKFLOW_INVALID: {
    meaning: 'A workflow has problems. Each one is listed with its own code and location.',
    fix: 'Correct each problem in the list.',
  },
  SIM_REFUSES: {
    meaning: 'A rehearsal asks for something that the stand-in of the stage sim refuses.',
    fix: 'Run it with `--stage scripted`, on the real CLI.',
  },
  FORMAT_TOO_NEW: {
    meaning: 'The file has a `format` that this version of Understudy does not know.',
    fix: 'Upgrade Understudy, or write the file in the older format.',
  },
  UNKNOWN_FIELD: {
    meaning: 'The format has no field with this name.',
    fix: 'Correct the name. The message gives the nearest known one.',
  },
  RENAMED_FIELD: {
    meaning: 'The field has a new name.',
    fix: 'Use the new name that the message gives.',
  },
  MISSING_FIELD: {
    meaning: 'A field is required and not there.',
    fix: 'Add the field that the message names.',
  },
  UNKNOWN_VALUE: {
    meaning: 'The field accepts only certain values, and this is none of them.',
    fix: 'Use one of the values that the message lists.',
  },
  INVALID_VALUE: {
    meaning: 'The value has the right type but is not allowed.',
    fix: 'Change it as the message says.',
  },
  WRONG_TYPE: {
    meaning: 'The value has the wrong type, such as a text where a number is needed.',
    fix: 'Use the type that the message names.',
  },
  FILE_REFERENCE: {
    meaning: 'A `$file` in a scenario cannot be resolved.',
    fix: 'Name a file of at most 8 MB, by its path relative to the scenario.',
  },
  CONFLICTING_FIELDS: {
    meaning: 'Two fields cannot be used together.',
    fix: 'Keep one of them.',
  },
  CONVERSATIONS_REMOVED: {
    meaning: 'The scenario uses `[conversations.…]`, a form that no longer exists.',
    fix: 'Write the conversation as a rule with `turns`. The message shows the result.',
  },
  NO_RULES: {
    meaning: 'The scenario has no rule and no `default_response`, so it can answer nothing.',
    fix: 'Add `[[responses]]` with a pattern and a response.',
  },
  NOTHING_TO_SAY: {
    meaning: 'A rule or turn has neither a response nor a failure.',
    fix: 'Add `response = "…"`.',
  },
  SILENT_END: {
    meaning: 'Warning: a turn ends without visible text.',
    fix: 'Add `text`. It ends the turn.',
  },
  HOOK_ANSWER: {
    meaning:
      'A rule with `when.hook` has turns, a failure, tool calls, or a condition on the turn, the call or the system prompt. A hook asks once, outside of all turns, and takes one text.',
    fix: 'Keep `response` with a text. For other answers later, add rules and `max_matches`.',
  },
  HOOK_WITHOUT_VERDICT: {
    meaning: 'Warning: a rule answers a hook with something that is no verdict, so the hook decides nothing.',
    fix: 'Answer with JSON: {"ok": true} or {"ok": false, "reason": "…"}.',
  },
  THEN_WITHOUT_TOOLS: {
    meaning: '`then` answers tool results, but the response uses no tool.',
    fix: 'Add `tool_calls`, or use `turns` to answer the next prompt.',
  },
  PATTERN_REFUSED: {
    meaning: 'A regular expression is not valid, or uses a feature that does not run in linear time.',
    fix: 'Rewrite it without look-around and back-references, or split it into two rules.',
  },
  UNREACHABLE_RULE: {
    meaning: 'Warning: a rule above this one matches every prompt, so this rule is never used.',
    fix: 'Move the rule up, or give the rule above it `max_matches`.',
  },
  UNKNOWN_GROUP: {
    meaning: 'A placeholder names a group that the pattern does not have.',
    fix: 'Add the group to the pattern, or set `template = false`.',
  },
  UNKNOWN_PLACEHOLDER: {
    meaning: 'A placeholder is unknown. In an answer it is a warning, and is sent literally.',
    fix: 'Use the placeholder that the message suggests.',
  },
  CHANCE_WITHOUT_SEED: {
    meaning: '`chance` is used, but the scenario has no `seed`, so runs would differ.',
    fix: 'Add `seed = 1` at the top of the scenario.',
  },
  FAULT_WITHOUT_TARGET: {
    meaning: 'A fault does not say which requests it hits, or says it twice.',
    fix: 'Give exactly one of the fields that the message names.',
  },
  NO_EFFECT: {
    meaning: 'A field has no effect here. Where it does no harm, it is a warning.',
    fix: 'Remove it.',
  },
  EXPECTS_NOTHING: {
    meaning: 'A check asks for nothing, so it could never fail.',
    fix: 'Say what must be true, or remove the check.',
  },
  HOOK_FIRES_ELSEWHERE: {
    meaning: 'A hook is expected in a part of the rehearsal in which it cannot fire.',
    fix: 'Expect SessionStart in `[start.expect]`, SessionEnd in `[end.expect]`, and the others in a step.',
  },
  CONTRADICTION: {
    meaning: 'Two expectations exclude each other.',
    fix: 'Keep one of the two.',
  },
  ENV_REFUSED: {
    meaning:
      '`[env]` sets a variable that a rehearsal cannot set: a credential of an agent, or one that Understudy sets.',
    fix: 'Remove it, or use a variable of your own. `PATH` is a list of folders.',
  },
  BAD_JSON_SCHEMA: {
    meaning: '`json` in `expect` is not a JSON Schema that can be read.',
    fix: 'Correct the schema.',
  },
  WORKFLOW_UNKNOWN: {
    meaning: 'There is no workflow with this name.',
    fix: 'Use agent-loop, epti or visual-iteration, or the path of a TOML file.',
  },
  WORKFLOW_STAGE_UNKNOWN: {
    meaning: 'The workflow has no stage with this name.',
    fix: 'Use one of its stages. The message gives the nearest one.',
  },
  WORKFLOW_DOUBLE_STAGE: {
    meaning: 'Two stages of a workflow have the same name.',
    fix: 'Rename one of them.',
  },
  WORKFLOW_EMPTY_TRIGGER: {
    meaning: 'A transition or action does not say what triggers it.',
    fix: 'Add a trigger, such as `on = { command = "plan" }`.',
  },
  WORKFLOW_UNREACHABLE: {
    meaning: 'No transition leads to a stage of the workflow.',
    fix: 'Add a transition to it, or remove the stage.',
  },
} as const;
