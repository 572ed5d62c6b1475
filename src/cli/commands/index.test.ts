import { Command } from 'commander';
import { expect, it } from 'vitest';
import { commands } from './index.js';

it('lists each command by the name with which it registers, because only the one that is asked for is registered', () => {
  const registered = Object.entries(commands).map(([name, register]) => {
    const program = new Command().enablePositionalOptions();
    register(program);
    return [name, ...program.commands.map((command) => command.name())];
  });
  expect(registered).toEqual(Object.keys(commands).map((name) => [name, name]));
});
