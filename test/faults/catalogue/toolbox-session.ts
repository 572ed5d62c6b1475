import { TOOLBOX } from '../copy.js';
import type { Catalogue, Fault, Sound } from '../fault.js';

const PLUGIN = 'plugins/toolbox';
const HOOKS = `${PLUGIN}/hooks/hooks.json`;
const START = `${PLUGIN}/hooks/start.sh`;
const SERVER = `${PLUGIN}/servers/echo.mjs`;
const REHEARSAL = 'rehearsals/session.rehearsal.toml';

const faults: Record<string, Fault> = {
  'a hook of the start for another source': {
    plant: (copy) => copy.edit(HOOKS, '"startup"', '"resume"'),
    red: { session: 'start: hook' },
  },
  'a hook of the start that dies': {
    plant: (copy) => copy.append(START, 'exit 3\n'),
    red: { session: 'start: hook' },
  },
  'a hook of the start that writes into the project': {
    plant: (copy) => copy.append(START, 'echo more >> notes.txt\n'),
    red: { session: 'start: file' },
  },
  'a hook of the start that leaves a process running': {
    plant: (copy) => copy.append(START, 'sleep 600 > /dev/null 2>&1 &\n'),
    red: { session: 'end: leftovers' },
  },
  'a hook that fires at the end by mistake': {
    plant: (copy) => copy.edit(HOOKS, '"UserPromptSubmit"', '"SessionEnd"'),
    red: { session: 'end: hook' },
  },
  'a server that is gone at the start': {
    plant: (copy) => copy.edit(SERVER, '// The smallest', 'process.exit(3);\n// The smallest'),
    red: { session: 'start: MCP server up' },
  },
};

const sound: Record<string, Sound> = {
  'nothing changed': { plant: () => undefined, green: ['session'] },
  'a server that is slower than the CLI is patient': {
    plant: (copy) => copy.edit(SERVER, 'const tools', 'await new Promise((up) => setTimeout(up, 2700));\nconst tools'),
    green: ['server', 'session'],
  },
  'a server that cannot start here, and is mocked': {
    plant: (copy) => {
      copy.edit(SERVER, '// The smallest', 'process.exit(3);\n// The smallest');
      copy.edit(REHEARSAL, '[project]', '[mcp.echo.tools]\nsay = "echo: this"\n\n[project]');
    },
    green: ['session'],
  },
  'a server that cannot start here, and is absent': {
    plant: (copy) => {
      copy.edit(SERVER, '// The smallest', 'process.exit(3);\n// The smallest');
      copy.edit(REHEARSAL, 'mcp_servers = ["echo"]\n', '');
      copy.edit(REHEARSAL, '[project]', '[mcp.echo]\nabsent = true\n\n[project]');
    },
    green: ['session'],
  },
};

/** What happens before the first turn and after the last. */
export const toolboxSession: Catalogue = { subject: 'session', base: TOOLBOX, faults, sound };
