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
  deploy: z.object({
    resources: z.object({ limits: z.strictObject({ cpus: z.string(), memory: z.string(), pids: z.int() }) }),
  }),
});

const compose = z.strictObject({
  name: z.string(),
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

it('the images run as a normal user, check their health, and hold no secret', () => {
  for (const name of ['Dockerfile', 'agents.Dockerfile']) {
    const text = readFileSync(join('docker', name), 'utf8');
    expect(text).toMatch(/^ARG \w+_IMAGE=/m);
    expect(text).toMatch(/^HEALTHCHECK/m);
    expect(text).not.toMatch(/TOKEN=|API_KEY/);
  }
  expect(readFileSync('docker/Dockerfile', 'utf8')).toMatch(/^USER node$/m);
});
