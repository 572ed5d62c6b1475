// A disk that is full from the Nth write on (FULL_FROM), for the process that this is loaded into before all else.
// Without FULL_FROM it only counts, and adds the count to FULL_COUNT.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const from = Number(process.env.FULL_FROM ?? Number.POSITIVE_INFINITY);
let writes = 0;

function full(what, path) {
  writes++;
  if (writes < from) return undefined;
  const error = new Error(`ENOSPC: no space left on device, ${what}`);
  return Object.assign(error, {
    code: 'ENOSPC',
    errno: -28,
    syscall: what,
    ...(typeof path === 'string' ? { path } : {}),
  });
}

/** The terminal is no file of the disk. */
const isTerminal = (target) => target === 1 || target === 2;

for (const name of [
  'writeSync',
  'writeFileSync',
  'appendFileSync',
  'mkdirSync',
  'mkdtempSync',
  'copyFileSync',
  'cpSync',
  'symlinkSync',
]) {
  const real = fs[name];
  fs[name] = (...args) => {
    const problem = isTerminal(args[0]) ? undefined : full(name.replace('Sync', ''), args[0]);
    if (problem !== undefined) {
      // A real one has been opened, and emptied, when there is no room for the first byte.
      if (name === 'writeFileSync' && typeof args[0] === 'string') fs.closeSync(fs.openSync(args[0], 'w'));
      throw problem;
    }
    return real(...args);
  };
}
for (const name of ['writeFile', 'appendFile', 'mkdir', 'mkdtemp', 'copyFile', 'cp', 'symlink']) {
  const real = fs.promises[name];
  fs.promises[name] = async (...args) => {
    const problem = full(name, args[0]);
    if (problem !== undefined) throw problem;
    return real.call(fs.promises, ...args);
  };
}
const realWrite = fs.write;
fs.write = (descriptor, ...args) => {
  const callback = args.at(-1);
  const problem = isTerminal(descriptor) || typeof callback !== 'function' ? undefined : full('write');
  if (problem === undefined) realWrite(descriptor, ...args);
  else process.nextTick(callback, problem);
};
syncBuiltinESMExports();
const append = fs.appendFileSync;
process.on('exit', () => {
  if (process.env.FULL_COUNT && from === Number.POSITIVE_INFINITY) append(process.env.FULL_COUNT, `${writes}\n`);
});
