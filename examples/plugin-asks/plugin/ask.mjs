// Asks the model with the key and the address of the agent, and prints what it says: the agent gets it with the prompt.
const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key } = process.env;
const answer = await fetch(`${url}/v1/messages`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-api-key': key },
  body: JSON.stringify({ model: 'any', max_tokens: 50, messages: [{ role: 'user', content: 'What is it about?' }] }),
});
const { content, error } = await answer.json();
console.log(error?.message ?? content.map(({ text }) => text).join(''));
