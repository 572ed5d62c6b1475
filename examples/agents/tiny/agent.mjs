// How Understudy starts `tiny.mjs`, points it at the scripted model, and reads what it prints.
import { defineAgent } from 'agent-understudy';

function reader() {
  let answer;
  return {
    read(line) {
      answer = JSON.parse(line);
      return answer.says === undefined ? [] : [{ type: 'text', text: answer.says }];
    },
    verdict: (exit) =>
      answer?.says === undefined
        ? { outcome: 'failed', message: answer?.error ?? `it said nothing, and ended with ${exit.code}` }
        : { outcome: 'completed' },
  };
}

// biome-ignore lint/style/noDefaultExport: an agent is the default export.
export default defineAgent({
  name: 'tiny',
  command: ['node', './tiny.mjs'],
  version: '1.0.0',
  arguments: ({ prompt, args }) => [...args, prompt],
  protocol: 'openai-chat',
  model: ({ baseUrl, key }) => ({ env: { TINY_MODEL_URL: baseUrl, TINY_MODEL_KEY: key } }),
  reader,
});
