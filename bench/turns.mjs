// A long conversation with the real Claude Code, one tool in each turn: what the turns cost this process, where the
// model server and the reading of the events are. The CLI itself gets slower with its history; that is not ours.
import { addAgent, Conversation } from '../dist/index.js';
import { median } from './helpers.mjs';

export const title = 'A conversation of many turns';

const TURNS = Number(process.env['UNDERSTUDY_BENCH_TURNS'] ?? 500);
const TENTH = Math.ceil(TURNS / 10);

export async function bench() {
  await addAgent('claude');
  const response = { text: 'Done.', tool_calls: [{ tool: 'Bash', input: { command: 'echo done' } }] };
  const scenario = { responses: [{ pattern: { type: 'any' }, response }] };
  const conversation = await Conversation.start({ stage: 'scripted', scenario });
  const own = [];
  const whole = [];
  for (let turn = 1; turn <= TURNS; turn++) {
    const before = process.cpuUsage();
    const started = performance.now();
    const { tools } = await conversation.send(`turn ${turn}`);
    if (tools.length !== 1) throw new Error(`turn ${turn} used ${tools.length} tools`);
    whole.push(performance.now() - started);
    const { user, system } = process.cpuUsage(before);
    own.push((user + system) / 1000);
  }
  await conversation.end();
  const rows = [0, 2, 4, 6, 9].map((part) => {
    const [from, to] = [part * TENTH, (part + 1) * TENTH];
    return [`${from + 1} to ${Math.min(to, TURNS)}`, median(own.slice(from, to)), median(whole.slice(from, to))];
  });
  // The first turns also warm the engine up.
  const value = median(own.slice(-TENTH)) / median(own.slice(TENTH, 2 * TENTH));
  return {
    columns: ['turns', 'processor ms of ours', 'ms in all'],
    rows,
    ratios: [{ name: 'our part in the last tenth, of that in the second', value, target: 1.2, better: 'lower' }],
  };
}
