import { expect, it } from 'vitest';
import { makeToolList } from '../../src/mcp/tool-list.js';
import { JsonFields, type JsonSchema } from './json-fields.js';
import { page, table } from './page.js';

const INTRODUCTION = `The tools of \`understudy mcp\`, with what they take and give. [MCP](../mcp.md) says how to connect a client.`;

it('is the committed page of MCP tools (npm run reference writes it again)', async () => {
  const sections = Object.entries(await makeToolList()).map(([category, tools]) => {
    const parts = tools.map(({ name, description, inputSchema, outputSchema }) => {
      const fields = (head: string, schema: JsonSchema) => {
        const rows = new JsonFields(schema, { saysRequired: head === 'input' }).rows(schema);
        return rows.length === 0 ? '' : `\n${table([head, 'type', 'meaning'], rows)}`;
      };
      // An example may stand below the first line.
      const [said, ...example] = description.split('\n');
      const shown = example.length === 0 ? '' : `\n\`\`\`text\n${example.join('\n')}\n\`\`\`\n`;
      return `### ${name}\n\n${said}\n${shown}${fields('input', inputSchema)}${fields('output', outputSchema)}`;
    });
    return `## ${category}\n\n${parts.join('\n')}`;
  });
  const text = page('MCP tools', 'the tools themselves', INTRODUCTION, sections);
  await expect(text).toMatchFileSnapshot('../../docs/reference/mcp.md');
});
