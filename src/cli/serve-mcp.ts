import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { checkSecret, defined, freshSecret, isLoopback, UnderstudyError } from '@understudy/kit';
import { clientConfigs, type ServerAddress } from '../mcp/client-configs.js';
import type { HarnessOptions } from '../mcp/harness/harness.js';
import { EXIT_INTERRUPTED } from './main.js';
import { print, printJson, printNote } from './output.js';
import { receiveSignal } from './receive-signal.js';
import { packageName, version } from './version.js';

export interface McpOptions {
  http?: true;
  port: string;
  host: string;
  allowHost?: string[];
  /** `false` by --no-token. */
  token?: string | boolean;
  root?: string[];
  artifacts?: string;
  maxConversations: string;
  idleMinutes: string;
  clientIdleMinutes: string;
  allowLive?: true;
  printConfig?: true;
  json?: true;
}

/** Serves MCP as the options say; gives the exit code. */
export async function serveMcp(options: McpOptions): Promise<number> {
  const harness = harnessOptions(options);
  if (options.printConfig === true) {
    printConfig(addressFrom(options), options.json === true);
    return 0;
  }
  const stop = receiveSignal();
  if (options.http === true) return serveHttp(options, harness, stop);
  const { serveOverStdio } = await import('../mcp/stdio.js');
  let interrupted = false;
  const stopped = stop.then((name) => {
    interrupted = name === 'SIGINT';
  });
  await serveOverStdio({
    ...harness,
    version,
    stop: stopped,
    onError: (error) => printNote(error.message),
  });
  return interrupted ? EXIT_INTERRUPTED : 0;
}

async function serveHttp(options: McpOptions, harness: HarnessOptions, stop: Promise<string>): Promise<number> {
  const token = tokenFrom(options);
  if (token === undefined && !isLoopback(options.host)) {
    throw new UnderstudyError(
      'MCP_OPEN_TO_ALL',
      `without a token, everybody who can reach ${options.host} could use the server`,
      {
        fix: 'Remove --no-token, or serve on 127.0.0.1.',
      },
    );
  }
  const { HttpServer } = await import('../mcp/http/server.js');
  const server = await HttpServer.start({
    ...harness,
    version,
    token,
    port: numberFrom('--port', options.port, 0, 65535),
    host: options.host,
    hosts: options.allowHost ?? [],
    sessionLimits: { idleMs: minutesFrom('--client-idle-minutes', options.clientIdleMinutes) },
  });
  const session = randomBytes(6).toString('hex');
  const url = `${server.origin}/mcp/${session}`;
  const address: ServerAddress = { transport: 'http', url, ...defined({ token }) };
  if (options.json === true) {
    printJson({ url, origin: server.origin, token: token ?? null, pid: process.pid, clients: clientConfigs(address) });
  } else {
    print(`understudy listens on ${url}`);
    // A token that somebody chose is a secret of theirs: the output may be a log.
    const isChosen = typeof options.token === 'string' || token === process.env[TOKEN_VARIABLE];
    print(
      token === undefined ? 'no token is needed' : isChosen ? 'it wants the token that was given' : `token: ${token}`,
    );
    print('A client without sessions needs a name of its own after /mcp/. Press Ctrl-C to stop.');
  }
  const name = await stop;
  await server.close('the server was stopped');
  return name === 'SIGINT' ? EXIT_INTERRUPTED : 0;
}

function harnessOptions(options: McpOptions): HarnessOptions {
  const { root, artifacts, allowLive } = options;
  return {
    roots: root ?? [process.cwd(), tmpdir()],
    ...defined({ artifacts }),
    allowLive: allowLive === true,
    limits: {
      conversations: numberFrom('--max-conversations', options.maxConversations, 1, 1000),
      idleMs: minutesFrom('--idle-minutes', options.idleMinutes),
    },
  };
}

const TOKEN_VARIABLE = 'UNDERSTUDY_MCP_TOKEN';

/** The token of the flag, of the environment, or a new one; undefined with --no-token. */
function tokenFrom({ token }: Pick<McpOptions, 'token'>): string | undefined {
  if (token === false) return undefined;
  return givenToken(token) ?? freshSecret();
}

/** A flag with nothing in it is a mistake (`--token "$UNSET"`). A variable with nothing in it counts as not set. */
function givenToken(flag: string | boolean | undefined): string | undefined {
  const [token, name] =
    typeof flag === 'string' ? [flag, '--token'] : [process.env[TOKEN_VARIABLE] || undefined, TOKEN_VARIABLE];
  if (token !== undefined) checkSecret(token, name);
  return token;
}

function addressFrom(options: McpOptions): ServerAddress {
  // A client starts it in any folder, where no `understudy` may be installed.
  if (options.http !== true) return { transport: 'stdio', command: ['npx', '-y', `${packageName}@${version}`, 'mcp'] };
  const token = options.token === false ? undefined : (givenToken(options.token) ?? 'YOUR_TOKEN');
  const url = `http://${options.host}:${options.port}/mcp/my-client`;
  return { transport: 'http', url, ...defined({ token }) };
}

function printConfig(address: ServerAddress, json: boolean): void {
  const configs = clientConfigs(address);
  if (json) {
    printJson({ clients: configs });
    return;
  }
  for (const { client, file, text, command } of configs) {
    print(`# ${client}: ${file}`);
    if (command !== undefined) print(`# or: ${command}`);
    print(`${text}\n`);
  }
}

function minutesFrom(flag: string, text: string): number {
  return numberFrom(flag, text, 0.001, 100_000) * 60_000;
}

function numberFrom(flag: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= min && value <= max) return value;
  throw new UnderstudyError('BAD_FLAG', `${flag} ${JSON.stringify(text)} is not a number from ${min} to ${max}`, {
    fix: `Give ${flag} a number in that range.`,
  });
}
