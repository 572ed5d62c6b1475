import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { PersistentVolumeClaim, Secret } from 'kubernetes-models/v1';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { runProgram, runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('kubernetes');
});
afterEach(() => scratch.remove());

const MODELS = { Deployment, Job, PersistentVolumeClaim, Secret };
type Kind = keyof typeof MODELS;

function documents(file: string): { kind: Kind; spec?: Record<string, unknown> }[] {
  return parseAllDocuments(readFileSync(join('deploy/kubernetes', file), 'utf8')).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
}

/** Throws where the schema of Kubernetes does not hold. */
function validate(document: { kind: Kind }): void {
  new MODELS[document.kind](document as never).validate();
}

it.each(readdirSync('deploy/kubernetes'))('%s follows the schema of Kubernetes', (file) => {
  for (const document of documents(file)) expect(() => validate(document)).not.toThrow();
});

it('the schema would tell what is wrong, and the shards are those of the Job', () => {
  const [job] = documents('shards.yaml');
  if (job === undefined) throw new Error('there is no Job');
  const changed = (change: object) => () => validate({ ...job, spec: { ...job.spec, ...change } } as never);
  expect(changed({ completionMode: 'Sometimes' })).toThrow('completionMode');
  expect(changed({ backoffLimitPerIndex: 'one' })).toThrow('backoffLimitPerIndex');
  expect(job.spec).toMatchObject({ completionMode: 'Indexed', completions: 8, backoffLimitPerIndex: 1 });
  expect(job.spec).toMatchObject({
    template: { spec: { containers: [{ env: expect.arrayContaining([{ name: 'SHARDS', value: '8' }]) }] } },
  });
});

it('shards hand their results on, to an address or to a folder, and they are one run again', async () => {
  const [cwd, folder, store] = ['work', 'results', 'store'].map((name) => join(scratch.path, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [folder, store]) mkdirSync(path);
  writeFiles(cwd, {
    'a.rehearsal.toml': greeting({ name: 'a' }),
    'b.rehearsal.toml': greeting({ name: 'b', expects: 'never' }),
  });
  const tokens: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    tokens.push(request.headers.authorization);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'PUT')
        writeFileSync(join(store, (request.url ?? '').replaceAll('/', '_')), Buffer.concat(chunks));
      response.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/runs/1/`;
  const shard = (index: number, results: string) =>
    runProgram(['sh', resolve('deploy/shard.sh'), '.', '--stage', 'sim'], {
      cwd,
      env: {
        ...{ JOB_COMPLETION_INDEX: String(index), SHARDS: '2', RESULTS: results, RESULTS_TOKEN: 'token-of-the-test' },
        UNDERSTUDY: `${process.execPath} ${UNDERSTUDY}`,
      },
    });
  // The second time of a shard replaces the first.
  const runs = [await shard(0, address), await shard(1, folder), await shard(1, folder)];
  server.close();
  expect(
    runs.map(({ code }) => code),
    runs.map(({ stderr }) => stderr).join('\n'),
  ).toEqual([0, 1, 1]);
  expect(tokens).toEqual(['Bearer token-of-the-test']);
  execFileSync('tar', ['-xzf', join(store, '_runs_1_0.tar.gz'), '-C', folder]);
  expect(readdirSync(folder).sort()).toEqual(['0', '1']);
  const merged = await runUnderstudy(['report', 'merge', folder, '--json'], { cwd });
  const names = (JSON.parse(merged.stdout) as { entries: { name: string; status: string }[] }).entries;
  expect(names.map(({ name, status }) => [name, status])).toEqual([
    ['a', 'passed'],
    ['b', 'failed'],
  ]);
});
