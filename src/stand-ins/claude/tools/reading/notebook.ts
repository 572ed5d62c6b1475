import { defined } from '../../../../document/defined.js';
import { isObject, type JsonObject } from '../../../../document/json.js';
import { ToolFailure, type ToolRun } from '../live-tool.js';

/** A notebook: its cells, each with what it has printed. */
export function readNotebook(filePath: string, text: string): ToolRun {
  const notebook = parse(text);
  const language = languageOf(notebook);
  const cells = (Array.isArray(notebook['cells']) ? notebook['cells'] : []).filter(isObject).map((cell, at) => ({
    ...describe(cell, at, language),
  }));
  const shown = cells.flatMap((cell) => [
    `<cell id="${cell.cell_id}">${kindOf(cell, language)}${cell.source}</cell id="${cell.cell_id}">`,
    ...(cell.outputs ?? []).flatMap(({ text: said }) => (said === undefined ? [] : [`\n${said}`])),
  ]);
  return {
    content: [{ text: shown.join('\n'), type: 'text' }],
    useResult: { type: 'notebook', file: { filePath, cells } },
  };
}

function parse(text: string): JsonObject {
  try {
    const notebook: unknown = JSON.parse(text);
    return isObject(notebook) ? notebook : {};
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new ToolFailure(
      `Notebook file is not valid JSON (it may be truncated, corrupted, or still being written): ${words}`,
    );
  }
}

function languageOf({ metadata }: JsonObject): string {
  const info = isObject(metadata) ? metadata['language_info'] : undefined;
  return isObject(info) && typeof info['name'] === 'string' ? info['name'] : 'python';
}

interface Cell {
  cellType: string;
  source: string;
  execution_count?: number;
  cell_id: string;
  language?: string;
  outputs?: { output_type: string; text?: string }[];
}

function describe(cell: JsonObject, at: number, language: string): Cell {
  const isCode = cell['cell_type'] === 'code';
  const count = isCode && typeof cell['execution_count'] === 'number' ? cell['execution_count'] : undefined;
  const outputs = isCode && Array.isArray(cell['outputs']) ? cell['outputs'].filter(isObject).map(outputOf) : [];
  return {
    cellType: String(cell['cell_type']),
    source: joined(cell['source']),
    ...defined({ execution_count: count }),
    cell_id: typeof cell['id'] === 'string' ? cell['id'] : `cell-${at}`,
    ...(isCode ? { language } : {}),
    ...(outputs.length > 0 ? { outputs } : {}),
  };
}

function kindOf({ cellType, language }: Cell, usual: string): string {
  if (cellType !== 'code') return `<cell_type>${cellType}</cell_type>`;
  return language === 'python' || usual === 'python' ? '' : `<language>${language}</language>`;
}

function outputOf(output: JsonObject): { output_type: string; text?: string } {
  const type = String(output['output_type']);
  const data = isObject(output['data']) ? output['data']['text/plain'] : undefined;
  if (type === 'error') {
    const text = `${output['ename']}: ${output['evalue']}\n${joined(output['traceback'], '\n')}`;
    return { output_type: type, text };
  }
  const printed = type === 'stream' ? output['text'] : data;
  return { output_type: type, ...defined({ text: printed === undefined ? undefined : joined(printed) }) };
}

function joined(value: unknown, between = ''): string {
  return Array.isArray(value) ? value.join(between) : typeof value === 'string' ? value : '';
}
