import { agentLocations, agentNames, agents, askVersion, nodeVersionIn } from '@understudy/agents';
import { configFile, describeError, nativeProgram, paint, runToEnd, scrubbedEnvironment } from '@understudy/kit';
import { useOwnAgents } from '@understudy/runner';
import { dockerProblem, sandboxProblem } from '@understudy/stage';
import { print, printJson } from './output.js';

interface Requirement {
  name: string;
  /** A missing `required` part fails the command. A missing `optional` part only limits what can be done. */
  need: 'required' | 'optional';
  found: boolean;
  detail: string;
  fix?: string;
}

const OLDEST_NODE = [20, 19];

const TOOLS: { name: string; need: Requirement['need']; args: string[]; fix: string }[] = [
  { name: 'git', need: 'required', args: ['--version'], fix: 'Install git from your system’s packages.' },
  {
    name: 'npm',
    need: 'optional',
    args: ['--version'],
    fix: 'Install npm, which comes with Node, to fetch agent CLIs.',
  },
  {
    name: 'perl',
    need: 'optional',
    args: ['-e', 'print $^V'],
    fix: 'Install perl: without it, recording a call of a real CLI takes about 50 ms more, and it gets no SIGPIPE.',
  },
  {
    name: 'bwrap',
    need: 'optional',
    args: ['--version'],
    fix: 'Install the package bubblewrap for --isolation sandbox (Linux).',
  },
  {
    name: 'tmux',
    need: 'optional',
    args: ['-V'],
    fix: 'Install the package tmux to watch an agent in a terminal.',
  },
  {
    name: 'chromium',
    need: 'optional',
    args: ['--version'],
    fix: 'Install the package chromium for plugins that use a browser.',
  },
];

/** Prints what is installed and what is missing. The exit code is 1 if a required part is missing. */
export async function examineMachine({ json = false }: { json?: boolean }): Promise<number> {
  const findings = [
    examineNode(),
    examineStandIns(),
    ...(await Promise.all(TOOLS.map(examineTool))),
    ...(await examineIsolation()),
    ...(await examineConfig()),
    ...(await examineAgents()),
  ];
  const ok = findings.every((finding) => finding.found || finding.need === 'optional');
  if (json) printJson({ ok, platform: `${process.platform}-${process.arch}`, findings });
  else {
    for (const { name, need, found, detail, fix } of findings) {
      const mark = found ? paint.green('✓') : need === 'required' ? paint.red('✗') : paint.yellow('–');
      print(`${mark} ${name.padEnd(10)} ${detail}${found || fix === undefined ? '' : paint.dim(` · ${fix}`)}`);
    }
  }
  return ok ? 0 : 1;
}

function examineNode(): Requirement {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  return {
    name: 'node',
    need: 'required',
    found: major > oldestMajor || (major === oldestMajor && minor >= oldestMinor),
    detail: `${process.versions.node} on ${process.platform}-${process.arch}`,
    fix: `install Node ${OLDEST_NODE.join('.')} or later`,
  };
}

const NATIVE_FROM = {
  build: 'by npm run build:native',
  package: 'from their package',
  variable: 'as UNDERSTUDY_NATIVE names them',
} as const;

function examineStandIns(): Requirement {
  const native = nativeProgram();
  const name = 'stand-ins';
  if (native.file === undefined) {
    const fix = 'They run on Node, which is slower to start: install the package of this platform for compiled ones.';
    return { name, need: 'optional', found: false, detail: `not compiled: ${native.reason}`, fix };
  }
  return { name, need: 'optional', found: true, detail: `compiled, ${NATIVE_FROM[native.from]}` };
}

async function examineTool({ name, need, args, fix }: (typeof TOOLS)[number]): Promise<Requirement> {
  try {
    const { code, stdout } = await runToEnd({
      command: [name, ...args],
      cwd: process.cwd(),
      env: scrubbedEnvironment(),
      deadlineMs: 10_000,
    });
    if (code === 0) return { name, need, found: true, detail: stdout.split('\n')[0] ?? '' };
    return { name, need, found: false, detail: `does not answer (exit ${code})`, fix };
  } catch {
    return { name, need, found: false, detail: 'not found', fix };
  }
}

/** What keeps agents apart from this machine, and why not more. */
async function examineIsolation(): Promise<Requirement[]> {
  const problem = await sandboxProblem();
  const docker = await dockerProblem();
  return [
    {
      ...{ name: 'sandbox', need: 'optional', found: problem === undefined },
      detail: problem ?? 'works: --isolation auto is sandbox',
      fix:
        process.platform === 'linux'
          ? 'Install bubblewrap and perl, and allow user namespaces. Without it, --isolation auto is none.'
          : 'Without it, --isolation auto is none.',
    },
    {
      ...{ name: 'docker', need: 'optional', found: docker === undefined },
      detail: docker ?? 'an engine answers: --isolation docker works',
      fix: 'Start Docker or Podman for --isolation docker.',
    },
  ];
}

/** The understudy.toml of this folder, with the agents that it defines. */
async function examineConfig(): Promise<Requirement[]> {
  const file = configFile();
  if (file === undefined) return [];
  const config = { name: 'config', need: 'required' } as const;
  try {
    await useOwnAgents();
    return [{ ...config, found: true, detail: file }];
  } catch (error) {
    return [{ ...config, found: false, detail: describeError(error) }];
  }
}

async function examineAgents(): Promise<Requirement[]> {
  return Promise.all(
    agentNames.map(async (name): Promise<Requirement> => {
      const [place] = agentLocations(name);
      const fix =
        agents[name].npm === undefined
          ? 'install it as its vendor says; it is not on npm'
          : `understudy agents add ${name}`;
      if (place === undefined) return { name, need: 'optional', found: false, detail: 'not found', fix };
      const { version, problem } = await askVersion(place);
      const where = place.source === 'store' ? 'in the store' : place.command[0];
      if (version === undefined)
        return { name, need: 'optional', found: false, detail: `${where} does not answer: ${problem}`, fix };
      const node = place.folder === undefined ? undefined : nodeVersionIn(place.folder);
      const runtime = node === undefined ? '' : `, on Node ${node} of its own`;
      return { name, need: 'optional', found: true, detail: `${version} ${where}${runtime}` };
    }),
  );
}
