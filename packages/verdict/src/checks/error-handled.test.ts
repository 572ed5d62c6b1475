import { expect, it } from 'vitest';
import { checkErrorHandled, errorHandledResultSchema } from './error-handled.js';

it('passes an answer that names the problem and a way on', () => {
  const result = checkErrorHandled("I couldn't find that file. Let's check the project structure.", {
    errorType: 'file_not_found',
  });
  expect(result).toMatchObject({
    status: 'passed',
    graceful: true,
    acknowledgesError: true,
    suggestsRecovery: true,
    recoveryActions: ["Let's check the project structure."],
  });
  expect(errorHandledResultSchema.parse(result)).toEqual(result);
});

it.each([
  'Error: config.json is missing. Create it with `npm run setup`.',
  'The build failed: exit code 2. Would you like me to look at the log?',
  'That path does not exist. Please provide another one.',
  'The traceback in your log points at line 3, which is invalid. You could fix the indent there.',
  'Unable to reach the server. 1. Start it. 2. Run the command again.',
  'The module is missing. I’d suggest checking the spelling.',
  'Permission denied. To fix this, somebody has to own the folder.',
  "I don't have permission to write there. You can grant it in the settings.",
  'There is no such file. Did you mean `b.py`?',
  'Something went wrong while parsing. I will use the older parser instead.',
])('finds grace in: %s', (text) => {
  expect(checkErrorHandled(text)).toMatchObject({ status: 'passed' });
});

it.each([
  [
    'Traceback (most recent call last):\n  File "a.py", line 3, in main\nValueError: bad\nLet me try again.',
    'a Python traceback',
  ],
  [
    "I could not do it. Let's see:\nTypeError: x is undefined\n    at run (/app/src/a.js:3:7)\n    at main (/app/src/b.js:9:1)",
    'a JavaScript stack trace',
  ],
  ['It failed, try again.\npanic: runtime error\n\ngoroutine 1 [running]:', 'a Go panic'],
  ["There is a problem. Try again.\nthread 'main' panicked at src/main.rs:4:5", 'a Rust panic'],
  ['It failed. Try again.\nException in thread "main" java.lang.NullPointerException', 'a Java stack trace'],
  ['An error occurred: Segmentation fault (core dumped). Try again.', 'a crashed process'],
  ["TypeError: Cannot read properties of undefined (reading 'x')", 'a raw error message'],
])('sees the crash in %j', (text, what) => {
  const result = checkErrorHandled(text);
  expect(result).toMatchObject({ status: 'failed', graceful: false });
  expect(result.actual).toContain(what);
});

it.each([
  'Everything worked, no errors. Let me know what is next.',
  'Done without any problem. You can run it now.',
  'Let us look at the next file.',
])('misses the acknowledgement in: %s', (text) => {
  expect(checkErrorHandled(text)).toMatchObject({ status: 'failed', acknowledgesError: false });
});

it.each([
  'The file could not be found.',
  'I tried, and the check failed.',
  'The build crashed, as you can see above.',
  'I was unable to verify the result.',
  'The lock file is broken and I was unable to fix this.',
  'The import failed; I could not check why.',
])('misses the way on in: %s', (text) => {
  expect(checkErrorHandled(text)).toMatchObject({ status: 'failed', acknowledgesError: true, suggestsRecovery: false });
  expect(checkErrorHandled(text, { shouldRecover: false }).status).toBe('passed');
});

it('wants the answer to be about the error in question', () => {
  const text = 'I could not reach the network. Please check the cable.';
  expect(checkErrorHandled(text, { errorType: 'network_error' }).status).toBe('passed');
  const result = checkErrorHandled(text, { errorType: 'syntax_error' });
  expect(result).toMatchObject({ status: 'failed', acknowledgesError: false });
  expect(result.actual).toContain('not about syntax_error');
  expect(
    checkErrorHandled('The database is locked, an error. Try later or retry.', { errorType: 'database_locked' }).status,
  ).toBe('passed');
});

it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  'takes %s for an error like any other',
  (errorType) => {
    const text = `The ${errorType} could not be called, an error. Try another one.`;
    expect(checkErrorHandled(text, { errorType }).status).toBe('passed');
    expect(checkErrorHandled('The file is gone, an error. Try another one.', { errorType }).status).toBe('failed');
  },
);

it.each([
  'There is nothing wrong. Next, run the tests.',
  'No issues, nothing failed, nothing is missing. Please check the docs.',
  "app.rb:3:in `main': undefined method `x' (NoMethodError)\nPlease check the input.",
  'An error:\nPHP Fatal error:  Uncaught TypeError: x\nTry again.',
  'Something failed. Unhandled exception follows:\n   at App.Main() in /app/Program.cs:line 3\nTry again.',
  'It failed:\n> panic: runtime error: index out of range\n> goroutine 1 [running]:\nTry again.',
])('finds no grace in: %s', (text) => {
  expect(checkErrorHandled(text)).toMatchObject({ status: 'failed' });
});
