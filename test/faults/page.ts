import { plantedElsewhere } from './catalogue/elsewhere.js';
import { catalogues } from './catalogue/index.js';
import { loopFaults } from './catalogue/loop.js';
import type { Fault } from './fault.js';

const INTRODUCTION = `<!-- Written by \`npm run faults\` from test/faults/. -->
# Faults that are found

A test that cannot fail proves nothing. So faults are planted, one at a time, into plugins, rehearsals and an
orchestrator that work, and each must be found by the check that is named here. Beside them stand changes that are
unusual but sound; they must stay green. \`.ci/run\` plants all of them on the stage \`sim\` and a fifth of them (another
fifth with another \`UNDERSTUDY_SEED\`) on the real Claude Code. \`npm run test:long\` plants all on both, and those of the orchestrator that take
minutes.
`;

/** The page of the documentation that lists everything in the catalogue. */
export function faultsPage(): string {
  const faults = catalogues.flatMap((catalogue) =>
    Object.entries(catalogue.faults).map(([name, fault]) => ({ subject: catalogue.subject, name, fault })),
  );
  const sound = catalogues.flatMap((catalogue) =>
    Object.keys(catalogue.sound).map((name) => `| ${catalogue.subject} | ${name} |`),
  );
  const subjects = [...new Set(faults.map(({ subject }) => subject))];
  return [
    INTRODUCTION,
    '| planted into | faults | found | missed |',
    '|---|---|---|---|',
    ...subjects.map((subject) => countRow(subject, faults.filter((one) => one.subject === subject).length)),
    countRow('orchestrator', loopFaults.length),
    countRow('programs and machines', plantedElsewhere.length),
    '',
    `Sound changes: ${sound.length}. False alarms: 0.`,
    ...subjects.flatMap((subject) => [
      '',
      `## ${subject}`,
      '',
      '| fault | found by |',
      '|---|---|',
      ...faults.filter((one) => one.subject === subject).map(({ name, fault }) => `| ${name} | ${foundBy(fault)} |`),
    ]),
    '',
    '## orchestrator',
    '',
    'Planted into the reference loop, and found by a case of `understudy e2e`.',
    '',
    '| fault | found by |',
    '|---|---|',
    ...loopFaults.map(({ name, caughtBy }) => `| ${name} | ${caughtBy} |`),
    '',
    '## programs and machines',
    '',
    'Each needs surroundings of its own, and has a test of its own.',
    '',
    '| fault | planted by |',
    '|---|---|',
    ...plantedElsewhere.map(({ fault, file, test }) => `| ${fault} | ${file}: ${test} |`),
    '',
    '## Sound changes',
    '',
    '| of | change |',
    '|---|---|',
    ...sound,
    '',
  ].join('\n');
}

/** A missed fault is a failed test, so the page can only be written with none. */
function countRow(subject: string, count: number): string {
  return `| ${subject} | ${count} | ${count} | 0 |`;
}

function foundBy({ red, unseen = {} }: Fault): string {
  const checks = [...new Set(Object.values(red))].join(', ');
  const notes = Object.entries(unseen).map(([stage, reason]) => `not on ${stage}: ${reason}`);
  return notes.length === 0 ? checks : `${checks} (${notes.join('; ')})`;
}
