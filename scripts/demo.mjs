// `npm run demo`: the main job in a few seconds, on the built program, offline.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const understudy = ['dist/bin/understudy.js'];

show(
  'A scenario says what the model answers. Talk to one:',
  ['play', 'examples/scenarios/multi-turn.toml'],
  'login\nada\nsecret\n',
);
show('The same, as a stand-in for the claude CLI:', [
  'claude',
  '--scenario',
  'examples/scenarios/multi-turn.toml',
  '--no-session-persistence',
  '-p',
  'please review my code',
]);
show('A rehearsal drives a plugin through a whole workflow (here on the stand-in; without --stage, on the real CLI):', [
  'run',
  'examples/marketplace/rehearsals/commands/agent-loop-explore.rehearsal.toml',
  'examples/marketplace/rehearsals/workflows/agent-loop-happy-path.rehearsal.toml',
  '--stage',
  'sim',
]);

function show(title, args, input = '') {
  console.log(`\n— ${title}\n$ understudy ${args.join(' ')}`);
  const { status } = spawnSync(process.execPath, [...understudy, ...args], {
    cwd: root,
    input,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 2);
}
