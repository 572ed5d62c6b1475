/**
 * Heads of Markdown files, valid and not: the real CLI and our reader must keep the same of each. A character can
 * stand in five places, alone or beside a line that makes the CLI repair the whole (`x: @a`).
 */
export const HEADS: Record<string, string> = {};

const CHARACTERS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const PLACES: Record<string, (character: string) => string> = {
  first: (character) => `${character}text more`,
  'first word': (character) => `${character} text more`,
  inside: (character) => `text${character}more end`,
  'between words': (character) => `text ${character} more`,
  last: (character) => `text more${character}`,
};

for (const character of CHARACTERS) {
  for (const [place, write] of Object.entries(PLACES)) {
    const head = `description: ${write(character)}\ntools: Read`;
    HEADS[`${character} ${place}`] = head;
    HEADS[`${character} ${place}, beside a repair`] = `${head}\nx: @a`;
  }
}

for (const key of ['my_key', 'my-key', 'key2', 'my.key', 'my key', 'MyKey', '$key', 'a/b', '"key"', '2key', '_key']) {
  HEADS[`a field ${key} that needs a repair`] = `description: d\ntools: Read\n${key}: @a`;
}

const EXAMPLE = '<example>\nContext: The user asks.\nuser: "Hello"\nassistant: "I will"\n</example>';

Object.assign(HEADS, {
  'the common multi-line example': `description: Use it when. Examples: ${EXAMPLE}\ntools: Read`,
  'an example without a colon': 'description: Use it <example>\nsome text\n</example>\ntools: Read',
  'an indented example': 'description: Use it.\n  <example>\n  user: "Hi"\n  </example>\ntools: Read',
  'an indented example without a colon': 'description: Use it <example>\n  text\n  </example>\ntools: Read',
  'an example in a block': 'description: |\n  Use it:\n  <example>\n  user: "Hi"\n  </example>\ntools: Read',
  'an example with escapes': 'description: Use it:\\n<example>\\nuser: "Hi"\\n</example>\ntools: Read',
  'an example in quotes': `description: "a\\n<example>\\nuser: 'x'"\ntools: Read`,
  'two colons': 'description: Use it when: always and: ever\ntools: Read, Grep',
  'a second line': 'description: First\nsecond\ntools: Read',
  'a second line behind a colon': 'description: First: line\nsecond\ntools: Read',
  'an indented second line': 'description: first\n  second\ntools: Read',
  'an indented line with a colon': 'description: first\n  Context: second\ntools: Read',
  'a mistake in a map': 'description: d\nmetadata:\n  foo: @a\ntools: Read',
  'a mistake in a list': 'description: d\nmetadata:\n  - @a\ntools: Read',
  'a list behind a repair': 'description: d: e\ntools:\n- Read\n- Grep',
  'an indented list behind a repair': 'description: d: e\ntools:\n  - Read\n  - Grep',
  'quotes inside': 'description: say: "hi" there\ntools: Read',
  'a backslash': 'description: path: C:\\new\ntools: Read',
  'single quotes': "description: 'it: is'\nx: @a\ntools: Read",
  'double quotes': 'description: "it: is"\nx: @a\ntools: Read',
  'an open single quote': "description: 'open: it\ntools: Read",
  'an open double quote': 'description: "open: it\ntools: Read',
  'two quoted texts': 'description: "a" and: "b"\ntools: Read',
  'a block beside a repair': 'description: |\n  a: b\n  c\nx: @a\ntools: Read',
  'a folded block beside a repair': 'description: >-\n  a: b\n  c\nx: @a\ntools: Read',
  'a flow list beside a repair': 'description: d\ntools: [Read, Grep]\nx: @a',
  'a flow map beside a repair': 'description: d\nhooks: {a: b}\ntools: [Read, Grep]\nx: @a',
  'spaces around': 'description:    d: e   \ntools: Read',
  'a tab behind the colon': 'description:\td: e\ntools: Read',
  'a colon at the end': 'description: a b:\nx: @a\ntools: Read',
  'a comment line': 'description: d\n# a comment: yes\nx: @a\ntools: Read',
  'empty lines': 'description: d\n\nx: @a\n\ntools: Read',
  'an anchor': 'description: &a x\ntools: Read',
  'an alias without an anchor': 'description: *a\ntools: Read',
  'a tag': 'description: !foo x\ntools: Read',
  'a date': 'description: 2020-01-01\ntools: Read',
  yes: 'description: yes\ntools: Read',
  tilde: 'description: ~\ntools: Read',
  float: 'description: 1.50\ntools: Read',
  octal: 'description: 010\ntools: Read',
  hexadecimal: 'description: 0x10\ntools: Read',
  false: 'description: false\ntools: Read',
  'an empty text': 'description: ""\ntools: Read',
  'a list for a text': 'description:\n  - a\ntools: Read',
  'a map for a text': 'description:\n  a: b\ntools: Read',
  'no value': 'description:\ntools: Read',
  'tabs for indentation': 'description: d\ntools:\n\t- Read',
  'a tab at the start': '\tdescription: d\ntools: Read',
  'a space before a field': 'name: x\n description: d\ntools: Read',
  'the same field twice': 'description: one\ndescription: two: three\ntools: Read',
  'a field in a block': 'description: |\n  tools: Bash\ntools: Read',
  'a block that is not indented': 'description: |\nfirst\ntools: Read',
  'no space behind the colon': 'description:x\ntools:Read',
  text: 'just text',
  list: '- a\n- b',
  'a pattern of files': 'description: d\npaths: **/*.ts\ntools: Read',
  'tools in quotes': 'description: d\ntools: "Read, Grep"',
  'all tools': 'description: d\ntools: "*"',
  'no tools': 'description: d\ntools: []',
  'rules as tools': 'description: d\ntools: Bash(git log:*), Read',
  'rules in a list': 'description: d\ntools: [Bash(git log:*), Read]',
  'tools with spaces': 'description: d\ntools: Read Grep',
});

/** Whole files: where does the head end, and where does the body begin? */
export const BODIES: Record<string, string> = {
  normal: '---\ndescription: d\n---\nBody\n',
  'empty lines': '---\ndescription: d\n---\n\n\nBody\n\n',
  'dashes in a value': '---\ndescription: has --- inside\n---\nBody\n',
  'dashes in quotes': '---\ndescription: "a --- b"\n---\nBody\n',
  'words behind the fence': '---\ndescription: d\n--- words\nBody\n',
  'a longer fence': '---\ndescription: d\n-----\nBody\n',
  'no line end': '---\ndescription: d\n---Body\n',
  'spaces behind the fences': '---   \ndescription: d\n---   \nBody\n',
  'text behind the first fence': '---x\ndescription: d\n---\nBody\n',
  'an empty head': '---\n---\nBody\n',
  'an empty line as head': '---\n\n---\nBody',
  'line ends of Windows': '---\r\ndescription: d\r\n---\r\nBody\r\n',
  'line ends of Windows and a repair': '---\r\ndescription: d: e\r\n---\r\nBody\r\n',
  'an indented fence': '---\ndescription: d\n  ---\nBody\n',
  'a byte order mark': '\uFEFF---\ndescription: d\n---\nBody\n',
  'a fence in the body': '---\ndescription: d\n---\nBody\n---\nmore\n---\n',
  'a space before it': ' ---\ndescription: d\n---\nBody\n',
  'no head': 'Body only\n',
  'an indented body': '---\ndescription: d\n---\n   Body\n',
  'no second fence': '---\ndescription: d\nBody\n',
  'dots for a fence': '---\ndescription: d\n...\nBody\n',
  'a head that is dropped': '---\ndescription: First\nsecond\n---\nBody\n',
};
