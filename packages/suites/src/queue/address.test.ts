import { expect, it } from 'vitest';
import { databaseError, describeAddress, isAway, parseAddress } from './address.js';

it('shows an address without its password and parameters', () => {
  expect(describeAddress('postgres://me:secret@db.example:5433/tests?sslmode=require&password=secret')).toBe(
    'postgres://me@db.example:5433/tests',
  );
  expect(() => parseAddress('https://me:secret@db.example')).toThrow(/^(?!.*secret)/);
});

it.each([
  [{ code: 'ECONNREFUSED', message: 'refused' }, 'QUEUE_UNREACHABLE'],
  [{ message: '', errors: [{ code: 'ECONNREFUSED' }, { code: 'ECONNREFUSED' }] }, 'QUEUE_UNREACHABLE'],
  [{ code: '57P03', message: 'the database system is starting up' }, 'QUEUE_UNREACHABLE'],
  [{ message: 'Connection terminated unexpectedly' }, 'QUEUE_UNREACHABLE'],
  [{ code: '28P01', message: 'password authentication failed' }, 'QUEUE_REFUSED'],
  [{ code: '3D000', message: 'database "x" does not exist' }, 'QUEUE_REFUSED'],
  [{ code: '42501', message: 'permission denied for database x' }, 'QUEUE_REFUSED'],
])('%j is %s', (error, code) => {
  expect(databaseError(error, 'postgres://db/x')).toMatchObject({ code });
  expect(isAway(error)).toBe(code === 'QUEUE_UNREACHABLE');
});

it('leaves an error that it does not know as it is', () => {
  const error = { code: '42P01', message: 'relation does not exist' };
  expect(databaseError(error, 'postgres://db/x')).toBe(error);
});
