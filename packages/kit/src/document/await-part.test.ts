import { expect, it } from 'vitest';
import { awaitPart } from './await-part.js';

const { signal } = new AbortController();
const patient = { patienceMs: 60_000, signal };

it('gives what the part gives, and throws what it throws', async () => {
  expect(await awaitPart(async () => 3, patient)).toBe(3);
  expect(await awaitPart(() => 4, patient)).toBe(4);
  await expect(
    awaitPart(async () => {
      throw new TypeError('no lamp');
    }, patient),
  ).rejects.toThrow(new TypeError('no lamp'));
});

it('waits for nothing for ever', async () => {
  const never = () => new Promise<void>(() => {});
  await expect(awaitPart(never, { patienceMs: 20, signal })).rejects.toThrow('it had not ended after 0.02 s');
  const stopping = new AbortController();
  const stopped = awaitPart(never, { ...patient, signal: stopping.signal, endMs: 20 });
  stopping.abort();
  await expect(stopped).rejects.toThrow('it went on after its signal');
  await expect(awaitPart(never, { ...patient, signal: AbortSignal.abort(), endMs: 20 })).rejects.toThrow('signal');
});

it('does not let it end the process, also when it has waited, and swallows the error', async () => {
  const ending = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    try {
      process.exit(0);
    } catch {
      return 'all is well';
    }
  };
  await expect(awaitPart(ending, patient)).rejects.toThrow('it called process.exit(0)');
});
