/** Endings of files that the CLI does not open; each was seen to be refused. */
const BINARY: ReadonlySet<string> = new Set(
  (
    'bmp ico tiff tif heic avif mp4 mov avi mkv webm wmv flv m4v mpeg mpg mp3 wav ogg flac aac m4a wma aiff opus zip tar gz ' +
    'bz2 7z rar xz z tgz iso exe dll so dylib bin o a obj lib app msi deb rpm doc docx xls xlsx ppt pptx odt ods odp ttf ' +
    'otf woff woff2 eot pyc pyo class jar war ear node wasm rlib sqlite sqlite3 db mdb idx psd ai eps sketch fig xd blend ' +
    '3ds max swf fla lockb dat data pickle npy parquet dmg apk whl zst lz4'
  ).split(' '),
);

/** Why a file of this ending is not read. */
export function refuseBinary(ending: string): string | undefined {
  if (!BINARY.has(ending.slice(1).toLowerCase())) return undefined;
  return (
    `This tool cannot read binary files. The file appears to be a binary ${ending.toLowerCase()} file. Use a skill for this ` +
    'file type if one is available, or a shell command or script that can read the format.'
  );
}
