/** A fault put into one of the example programs, and the check that must find it. */
export interface ProgramFault {
  what: string;
  /** The folder in examples/programs, its rehearsal and the file that is changed. */
  in: 'loop/loop' | 'loop/limit' | 'review/review' | 'triage/triage' | 'sdk/ask';
  file: string;
  change: [from: string, to: string];
  /** The name of the check, or of the check and what it saw. */
  found: string | RegExp;
  /** Where it is looked for besides sim. */
  scripted?: true;
}

export const programFaults: readonly ProgramFault[] = [
  {
    what: 'the promise is looked for in the whole output, so a tool that writes it ends the loop',
    in: 'loop/limit',
    file: 'loop.sh',
    change: ['tail -n 1 <<< "$out" | grep -q LOOP_COMPLETE', 'grep -q LOOP_COMPLETE <<< "$out"'],
    found: 'exit code',
    scripted: true,
  },
  {
    what: 'the loop starts one more iteration after the promise',
    in: 'loop/loop',
    file: 'loop.sh',
    change: ['    exit 0\n', '    done=1\n'],
    found: 'calls: count',
  },
  {
    what: 'the loop does one iteration too few',
    in: 'loop/limit',
    file: 'loop.sh',
    change: ['seq "$max"', 'seq 2 "$max"'],
    found: 'calls: count',
  },
  {
    what: 'the exit code of a loop that gives up is 0',
    in: 'loop/limit',
    file: 'loop.sh',
    change: ['exit 2', 'exit 0'],
    found: 'exit code',
  },
  {
    what: 'the prompt lost the name of its file',
    in: 'loop/loop',
    file: 'loop.sh',
    change: ['of PROMPT.md.', 'of the list.'],
    found: 'call 1: prompt',
    scripted: true,
  },
  {
    what: 'a flag was forgotten',
    in: 'loop/loop',
    file: 'loop.sh',
    change: [' --dangerously-skip-permissions', ''],
    found: 'call 1: args',
    scripted: true,
  },
  {
    what: 'progress is printed on stderr',
    in: 'loop/loop',
    file: 'loop.sh',
    change: ['  # The last', '  echo "iteration $n" >&2\n  # The last'],
    found: 'stderr',
  },
  {
    what: 'the loop changes the prompt file',
    in: 'loop/loop',
    file: 'loop.sh',
    change: ['max=5\n', 'max=5\necho more >> PROMPT.md\n'],
    found: /^file: .*PROMPT\.md was modified/,
  },
  {
    what: 'a helper in the background outlives the loop',
    in: 'loop/loop',
    file: 'loop.sh',
    change: ['max=5\n', 'max=5\nsleep 300 > /dev/null 2>&1 &\n'],
    found: 'leftovers',
  },
  {
    what: 'Ctrl-C is ignored',
    in: 'loop/limit',
    file: 'loop.sh',
    change: ["trap 'exit 130' INT", "trap '' INT"],
    found: 'exit code',
  },
  {
    what: 'all files are reviewed at once',
    in: 'review/review',
    file: 'review.mjs',
    change: ['AT_ONCE = 2', 'AT_ONCE = 9'],
    found: 'calls: overlap',
    scripted: true,
  },
  {
    what: 'the reviews never reach the summary',
    in: 'review/review',
    file: 'review.mjs',
    change: ['${file}: ${reviews[file]}', '${file}'],
    found: 'calls: order',
  },
  {
    what: 'the document has another field',
    in: 'review/review',
    file: 'review.mjs',
    change: ['summary: summary.trim()', 'text: summary.trim()'],
    found: /^stdout: .*at summary/,
  },
  {
    what: 'a failed call is not repeated',
    in: 'triage/triage',
    file: 'triage.py',
    change: ['for attempt in (1, 2):', 'for attempt in (1,):'],
    found: 'exit code',
  },
  {
    what: 'the text never reaches the agent',
    in: 'triage/triage',
    file: 'triage.py',
    change: ['input=issue', 'input=""'],
    found: 'call 1: stdin',
  },
  {
    what: 'the code of the CLI is not looked at',
    in: 'triage/triage',
    file: 'triage.py',
    change: ['called.returncode == 0', 'True'],
    found: /^stdout|^exit code/,
  },
  {
    what: 'the address of the model is written into the program',
    in: 'sdk/ask',
    file: 'ask.mjs',
    change: ['new OpenAI()', "new OpenAI({ baseURL: 'https://api.openai.com/v1', maxRetries: 0, timeout: 500 })"],
    found: /^exit code|^no real service/,
  },
  {
    what: 'the results of tools are not sent back',
    in: 'sdk/ask',
    file: 'ask.mjs',
    change: ['if (calls.length === 0)', 'if (calls.length >= 0)'],
    found: 'calls: count',
  },
];
