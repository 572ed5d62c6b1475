import type * as Toml from 'toml-eslint-parser';
import type { AST } from 'toml-eslint-parser';
import type * as Yaml from 'yaml';
import { lazyRequire } from './lazy-require.js';
import { formatPath, type Path } from './path.js';
import type { SourceText } from './source.js';

export interface Position {
  line: number;
  column: number;
}

/**
 * Finds the line and column of a path in a document. The fast parsers keep no positions, so this parses the text
 * again with another parser, only when there is a problem to show. A missing field gets the position of its nearest
 * ancestor.
 */
export function createLocator(source: SourceText): (path: Path) => Position | undefined {
  if (source.text === undefined) return () => undefined;
  const { text, format = 'toml' } = source;
  const positions = format === 'toml' ? tomlPositions(text) : yamlPositions(text, format);
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const position = positions.get(formatPath(path.slice(0, length)));
      if (position !== undefined) return position;
    }
    return { line: 1, column: 1 };
  };
}

function tomlPositions(text: string): Map<string, Position> {
  const { parseTOML } = lazyRequire('toml-eslint-parser') as typeof Toml;
  const positions = new Map<string, Position>();
  const note = (path: Path, node: AST.TOMLNode) => {
    const key = formatPath(path);
    if (!positions.has(key)) positions.set(key, { line: node.loc.start.line, column: node.loc.start.column + 1 });
  };
  const visitValue = (path: Path, node: AST.TOMLContentNode) => {
    if (node.type === 'TOMLArray') {
      node.elements.forEach((element, index) => {
        note([...path, index], element);
        visitValue([...path, index], element);
      });
    } else if (node.type === 'TOMLInlineTable') {
      for (const entry of node.body) visitKeyValue(path, entry);
    }
  };
  const visitKeyValue = (base: Path, node: AST.TOMLKeyValue) => {
    const path = [...base];
    for (const key of node.key.keys) {
      path.push(key.type === 'TOMLBare' ? key.name : key.value);
      note(path, key);
    }
    visitValue(path, node.value);
  };
  for (const node of parseTOML(text).body[0].body) {
    if (node.type === 'TOMLKeyValue') {
      visitKeyValue([], node);
      continue;
    }
    for (let length = 1; length <= node.resolvedKey.length; length++) note(node.resolvedKey.slice(0, length), node);
    for (const entry of node.body) visitKeyValue(node.resolvedKey, entry);
  }
  return positions;
}

/** JSON is YAML, so one parser finds the positions in both. */
function yamlPositions(text: string, format: 'json' | 'yaml'): Map<string, Position> {
  const { LineCounter, parseDocument, isMap, isSeq, isScalar } = lazyRequire('yaml') as typeof Yaml;
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    schema: format === 'json' ? 'json' : 'core',
    uniqueKeys: false,
  });
  const positions = new Map<string, Position>();
  const note = (path: Path, range: readonly number[] | null | undefined) => {
    const { line, col } = lines.linePos(range?.[0] ?? 0);
    positions.set(formatPath(path), { line, column: col });
  };
  const visit = (path: Path, node: unknown) => {
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        if (!isScalar(key)) continue;
        note([...path, String(key.value)], key.range);
        visit([...path, String(key.value)], value);
      }
    } else if (isSeq(node)) {
      node.items.forEach((item, index) => {
        note([...path, index], (item as Yaml.Node).range);
        visit([...path, index], item);
      });
    }
  };
  visit([], document.contents);
  return positions;
}
