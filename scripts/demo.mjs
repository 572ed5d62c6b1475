// `npm run demo`: the main job in a few seconds, on the built program, offline.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
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
const rehearsals = [
  'examples/marketplace/rehearsals/commands/agent-loop-explore.rehearsal.toml',
  'examples/marketplace/rehearsals/workflows/agent-loop-happy-path.rehearsal.toml',
];
const workflow = ['run', ...rehearsals, '--stage', 'sim'];
show('A rehearsal drives a plugin through a whole workflow, here on the stand-in:', workflow);
const claude = claudeInStore();
if (claude === undefined) {
  console.log('\n— With the real Claude Code: `understudy agents add claude`, then the same without --stage.');
} else {
  show(`The first of them on the real Claude Code ${claude}, with the scripted model:`, ['run', rehearsals[0]]);
}

/** The pinned version, when it is in the store. */
function claudeInStore() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const store = process.env.UNDERSTUDY_STORE || join(cache, 'understudy', 'agents');
  const { claude: version } = JSON.parse(readFileSync(join(root, 'packages/agents/src/versions.json'), 'utf8'));
  return existsSync(join(store, 'claude', version, 'understudy.json')) ? version : undefined;
}

function show(title, args, input = '') {
  console.log(`\n— ${title}\n$ understudy ${args.join(' ')}`);
  const { status } = spawnSync(process.execPath, [...understudy, ...args], {
    cwd: root,
    input,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 2);
}
