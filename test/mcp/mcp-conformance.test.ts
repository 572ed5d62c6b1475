import { expect, it, onTestFinished, type TestContext } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { buildServer } from '../../src/mcp/build-server.js';
import { HttpServer } from '../../src/mcp/http/server.js';
import { sample, seedOr } from '../helpers/seeded.js';
import { addFixtures } from '../mcp-conformance/fixtures.js';
import { installSuite, runSuite } from '../mcp-conformance/run-suite.js';

async function conforms(context: TestContext, revision: string): Promise<string> {
  const problem = installSuite();
  if (problem !== undefined) context.skip(problem);
  const server = await HttpServer.start({
    ...{ version: 'test', port: 0, host: '127.0.0.1', token: undefined, hosts: [], roots: [] },
    build: (holder) => addFixtures(buildServer(holder, 'test')),
  });
  const scratch = createScratch('conformance');
  onTestFinished(async () => {
    await server.close('the test is over');
    await scratch.remove();
  });
  const args = ['--url', `${server.origin}/mcp/conformance`, '--spec-version', revision, '--timeout', '20000'];
  const { code, stdout, stderr } = await runSuite(args, scratch.path);
  const summary = stdout.slice(Math.max(0, stdout.indexOf('=== SUMMARY')));
  expect(code, `${summary}\n${stderr}`).toBe(0);
  return summary;
}

for (const revision of sample(['2025-06-18', '2025-11-25', '2026-07-28'], 1, seedOr(1))) {
  it(`conforms to the revision of ${revision}`, { timeout: 180_000 }, async (context) => {
    const summary = await conforms(context, revision);
    expect(summary).toContain('✓ tools-list');
    expect(summary).toContain('✓ tools-call-with-progress');
  });
}
