/** In the first part of a file it is looked for bytes that no text has. */
const LOOKED_AT = 8192;
const REFUSED =
  'Edit and Write will refuse it: change it with a shell command that keeps its encoding, or ask the user whether to ' +
  'convert it to UTF-8.]';
const WITH_NUL =
  '[This file has NUL bytes in its first 8 KB: binary data, UTF-16/UTF-32 without a byte-order mark, or text with embedded ' +
  `NULs. ${REFUSED}`;
const NOT_UTF8 =
  '[This file is not valid UTF-8: it uses a legacy encoding such as Windows-1252, Shift-JIS or GBK, or it is binary. Its ' +
  `undecodable bytes show above as U+FFFD. ${REFUSED}`;

/** The text of a file, and what is to say about its encoding. */
export function decodeText(bytes: Buffer): { text: string; note?: string } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: bytes.toString('utf16le', 2) };
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return { text, note: WITH_NUL };
  return text.includes('\uFFFD') && !isUtf8(bytes) ? { text, note: NOT_UTF8 } : { text };
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes);
}
