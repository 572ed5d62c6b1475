import { ToolFailure, type ToolRun } from '../live-tool.js';

/** From this size on, in pixels or bytes, the CLI makes an image smaller. */
const MOST_PIXELS = 2000;
const MOST_BYTES = 3_750_000;

interface Size {
  width: number;
  height: number;
}

/** An image, as the model sees it. */
export function readImage(path: string, bytes: Buffer): ToolRun {
  const type = imageType(bytes);
  if (type === undefined) throw new ToolFailure(notAnImage(path, bytes));
  const size = SIZES[type](bytes);
  if (size === undefined || Math.max(size.width, size.height) > MOST_PIXELS || bytes.length > MOST_BYTES)
    throw new ToolFailure('The stand-in does not make images smaller. Give the call a result in the scenario.');
  const data = bytes.toString('base64');
  const { width, height } = size;
  return {
    content: [{ type: 'image', source: { type: 'base64', data, media_type: type } }],
    useResult: {
      type: 'image',
      file: {
        base64: data,
        type,
        originalSize: bytes.length,
        dimensions: {
          ...{ originalWidth: width, originalHeight: height },
          ...{ displayWidth: width, displayHeight: height },
        },
      },
    },
  };
}

type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

function imageType(bytes: Buffer): ImageType | undefined {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF8')) return 'image/gif';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : undefined;
}

const SIZES: Readonly<Record<ImageType, (bytes: Buffer) => Size | undefined>> = {
  'image/png': (bytes) =>
    bytes.length < 24 ? undefined : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) },
  'image/gif': (bytes) =>
    bytes.length < 10 ? undefined : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) },
  'image/jpeg': sizeOfJpeg,
  'image/webp': () => undefined,
};

/** A frame header says it; before it are other segments, each with its length. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return undefined;
}

function notAnImage(path: string, bytes: Buffer): string {
  const hex = [...bytes.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return (
    `File has an image extension but its content is not a valid PNG/JPEG/GIF/WebP. Detected: unrecognized bytes (hex: ${hex}). ` +
    'This usually means a download saved an error/login page instead of the image. ' +
    `Use \`file "${path}"\` to confirm, or read it as text with Bash (e.g. \`head -c 500\`).`
  );
}
