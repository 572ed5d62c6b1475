#!/usr/bin/env node
// Asks three models the same question through their SDKs: no CLI, no address in the code.
//   ask.mjs QUESTION
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';

const question = process.argv[2] ?? 'What is the time?';
const time = { type: 'object', properties: { zone: { type: 'string' } } };

/** Claude may ask for the time once. */
async function askClaude() {
  const client = new Anthropic();
  const tools = [{ name: 'clock', description: 'the time in a zone', input_schema: time }];
  const messages = [{ role: 'user', content: question }];
  for (;;) {
    const answer = await client.messages.create({ model: 'claude-sonnet-5', max_tokens: 500, tools, messages });
    const calls = answer.content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: '12:00' }));
    messages.push({ role: 'assistant', content: answer.content }, { role: 'user', content: results });
  }
}

async function askGpt() {
  const answer = await new OpenAI().chat.completions.create({
    model: 'gpt-6',
    messages: [{ role: 'user', content: question }],
  });
  return answer.choices[0].message.content;
}

async function askGemini() {
  const answer = await new GoogleGenAI({}).models.generateContent({ model: 'gemini-3-pro', contents: question });
  return answer.text;
}

console.log(`claude: ${await askClaude()}`);
console.log(`gpt: ${await askGpt()}`);
console.log(`gemini: ${await askGemini()}`);
