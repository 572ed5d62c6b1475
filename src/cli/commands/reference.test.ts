import { Command } from 'commander';
import { expect, it } from 'vitest';
import { commands } from './index.js';

const INTRODUCTION = `<!-- Written by \`npm run reference\` from the commands themselves. -->
# Command reference

Every command with its arguments and flags. [Commands](../commands.md) says which one does what.
`;

it('is the committed page (npm run reference writes it again)', async () => {
  const program = new Command('understudy').enablePositionalOptions();
  for (const register of Object.values(commands)) register(program);
  const sections = program.commands.filter((command) => command.description() !== '').flatMap(sectionsOf);
  await expect(`${INTRODUCTION}\n${sections.join('\n')}`).toMatchFileSnapshot('../../../docs/reference/commands.md');
});

/** A command, and below it its subcommands. */
function sectionsOf(command: Command): string[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command).filter((child) => child.name() !== 'help');
  const args = help.visibleArguments(command);
  const options = help.visibleOptions(command).filter((option) => option.long !== '--help');
  return [
    [
      `${isTop(command) ? '##' : '###'} ${pathOf(command)}\n`,
      `${command.description()}\n`,
      `\`\`\`text\n${help.commandUsage(command)}\n\`\`\`\n`,
      ...(args.length === 0
        ? []
        : [
            table(
              'argument',
              args.map((arg) => [arg.name(), help.argumentDescription(arg)]),
            ),
          ]),
      ...(options.length === 0
        ? []
        : [
            table(
              'flag',
              options.map((option) => [option.flags, help.optionDescription(option)]),
            ),
          ]),
    ].join('\n'),
    ...children.flatMap(sectionsOf),
  ];
}

const isTop = ({ parent }: Command): boolean => parent?.parent === null;

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function table(head: string, rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([name, description]) => `| \`${name}\` | ${cell(description)} |`);
  return `| ${head} | meaning |\n|---|---|\n${lines.join('\n')}\n`;
}

/** In a table a bar ends the cell, and what looks like a tag is one. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
