// A coding agent of a few lines: it asks its model once, and tells what the model says as JSON lines.
const prompt = process.argv.at(-1);
const response = await fetch(`${process.env.TINY_MODEL_URL}/chat/completions`, {
  method: 'POST',
  headers: { authorization: `Bearer ${process.env.TINY_MODEL_KEY}`, 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'tiny', messages: [{ role: 'user', content: prompt }] }),
});
const { choices, error } = await response.json();
if (error === undefined) console.log(JSON.stringify({ says: choices[0].message.content }));
else console.log(JSON.stringify({ error: error.message }));
