import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

const service = z.looseObject({
  image: z.string(),
  build: z.object({ context: z.string(), dockerfile: z.string(), args: z.record(z.string(), z.string()).optional() }),
  command: z.array(z.string()),
  environment: z.record(z.string(), z.string()),
  volumes: z.array(
    z.union([
      z.string().regex(/^[a-z]+:\//),
      z.strictObject({ type: z.literal('bind'), source: z.string(), target: z.string(), read_only: z.literal(true) }),
    ]),
  ),
  networks: z.tuple([z.literal('isolated')]),
  cap_drop: z.tuple([z.literal('ALL')]),
  // Not below `deploy`: Debian's docker-compose 1 reads limits only here.
  cpus: z.int(),
  mem_limit: z.string(),
  pids_limit: z.int(),
});

const compose = z.strictObject({
  services: z.strictObject({ harness: service, agents: service }),
  networks: z.strictObject({ isolated: z.strictObject({ driver: z.literal('bridge'), internal: z.literal(true) }) }),
  volumes: z.record(z.string(), z.null()),
});

it('the compose file keeps its services apart, and names what is there', () => {
  const file = compose.parse(parse(readFileSync('docker/compose.yml', 'utf8')));
  const { harness, agents } = file.services;
  expect(harness.environment['UNDERSTUDY_MCP_TOKEN']).toMatch(/:\?/);
  expect(JSON.stringify(file)).not.toMatch(/docker\.sock|privileged":true|KEY/);
  for (const { build, volumes } of [harness, agents]) {
    expect(existsSync(join('docker', build.context, build.dockerfile))).toBe(true);
    for (const volume of volumes) {
      if (typeof volume === 'string') expect(Object.keys(file.volumes)).toContain(volume.split(':')[0]);
    }
  }
});

/** The client's own plugin, or Debian's package. */
const COMPOSE = [['docker', 'compose'], ['docker-compose']].find(
  ([program = '', ...args]) => spawnSync(program, [...args, 'version'], { stdio: 'ignore' }).status === 0,
);

it('the compose file is one for the real compose, and needs a token', ({ skip }) => {
  skip(COMPOSE === undefined, 'there is neither docker compose nor docker-compose');
  const [program = '', ...args] = COMPOSE ?? [];
  const config = (env: Record<string, string>) =>
    spawnSync(program, [...args, '-f', 'docker/compose.yml', 'config'], {
      ...{ encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', ...env } },
    });
  const sound = config({ UNDERSTUDY_MCP_TOKEN: 'x'.repeat(16) });
  expect(sound.stderr).not.toMatch(/invalid/);
  expect(sound).toMatchObject({ status: 0, stdout: expect.stringMatching(/pids_limit: 1024/) });
  const without = config({});
  expect(without.status).not.toBe(0);
  expect(without.stderr).toContain('token');
});

it('the images run as a normal user, check their health, and hold no secret', () => {
  for (const name of ['Dockerfile', 'agents.Dockerfile']) {
    const text = readFileSync(join('docker', name), 'utf8');
    expect(text).toMatch(/^ARG \w+_IMAGE=/m);
    expect(text).toMatch(/^HEALTHCHECK/m);
    expect(text).not.toMatch(/TOKEN=|API_KEY/);
  }
  expect(readFileSync('docker/Dockerfile', 'utf8')).toMatch(/^USER node$/m);
});
