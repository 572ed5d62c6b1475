import { type Case, STREAM, type Step, say, tool } from '../case.js';
import { agent, recorded } from './parts.js';

const bash = (command: string): Step => tool('Bash', { command });
const REPOSITORY = bash('git init -qb main . && git add a.txt && git -c user.name=a -c user.email=a@b commit -qm one');
const LOOK = bash('ls -A; git worktree list | wc -l; git branch --format="%(refname:short)"');
const FREE = ['--permission-mode', 'bypassPermissions'];
const apart = (name: string, steps: Step[], more: Partial<Case> = {}): Case => ({
  name: `worktree: ${name}`,
  args: [...STREAM, 'go', ...FREE],
  env: { IS_SANDBOX: '1' },
  files: { ...recorded(['SubagentStart', 'SubagentStop']), 'a.txt': 'one\n' },
  before: [{ args: ['-p', 'before', ...FREE], turns: [[REPOSITORY, say('made')]] }],
  turns: [[agent('look', { isolation: 'worktree', run_in_background: false }, steps), LOOK, say('done')]],
  ...more,
});
const OWN = '---\nname: own\ndescription: Looks\nisolation: worktree\n---\nYou look.\n';

/** Subagents that work in a copy of the repository. */
export const WORKTREE_CASES: readonly Case[] = [
  apart('nothing is changed', [bash('pwd; git branch --show-current; ls'), say('seen')]),
  apart('a new file', [tool('Write', { file_path: 'new.txt', content: 'x\n' }), say('written')]),
  apart('a read and an edit', [
    tool('Read', { file_path: 'a.txt' }),
    tool('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }),
    say('edited'),
  ]),
  apart('in the background', [], {
    files: { ...recorded(['SubagentStop']), 'a.txt': 'one\n' },
    turns: [
      [
        agent('look', { isolation: 'worktree' }, [
          tool('Write', { file_path: 'new.txt', content: 'x\n' }),
          say('seen'),
        ]),
        { ...say('done'), lagMs: 3000 },
      ],
    ],
  }),
  apart('of a subagent inside', [
    agent('inner', { run_in_background: false }, [bash('pwd'), say('inside')]),
    say('outside'),
  ]),
  apart('a commit', [
    bash('echo x > b.txt && git add b.txt && git -c user.name=a -c user.email=a@b commit -qm two'),
    say('kept'),
  ]),
  apart('of its definition', [], {
    files: { ...recorded(['SubagentStart']), 'a.txt': 'one\n', '.claude/agents/own.md': OWN },
    turns: [
      [agent('look', { subagent_type: 'own', run_in_background: false }, [bash('pwd'), say('seen')]), say('done')],
    ],
  }),
];
