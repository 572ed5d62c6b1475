import { nearestWord, type UnlocatedProblem } from '@understudy/kit';
import { refusalOf, reviewEnvironment } from './agent-environment.js';
import { eachText } from './rows/fill.js';
import { variablesOf } from './run-schema.js';
import type { RehearsalDocument } from './schema.js';

/** Mistakes in services, and in what runs before and after the steps. */
export function reviewAround(document: RehearsalDocument, file: string): UnlocatedProblem[] {
  return [
    ...(['services', 'before', 'after'] as const).flatMap((part) =>
      (document[part] ?? []).flatMap(({ env = {} }, index) =>
        reviewEnvironment({ ...document, env }, file).map((one) => ({ ...one, path: [part, index, ...one.path] })),
      ),
    ),
    ...reviewServices(document),
    ...reviewAddresses(document),
  ];
}

function reviewServices({ services = [] }: RehearsalDocument): UnlocatedProblem[] {
  return services.flatMap(({ name, ready = {} }, index): UnlocatedProblem[] => {
    const path = ['services', index];
    const [variable = ''] = variablesOf(name);
    const isTwice = services.slice(0, index).some((other) => variablesOf(other.name)[0] === variable);
    const refused = refusalOf(variable, '');
    if (isTwice) {
      const message = `another service has the variable ${variable}, too`;
      return [
        { code: 'CONFLICTING_FIELDS', message, fix: 'Give each service a name of its own.', path: [...path, 'name'] },
      ];
    }
    if (refused !== undefined)
      return [{ code: 'ENV_REFUSED', message: refused.message, fix: 'Give it another name.', path: [...path, 'name'] }];
    if (ready.line === undefined || ready.http === undefined) return [];
    const message = '`ready` can have one of `line` and `http`';
    return [{ code: 'CONFLICTING_FIELDS', message, fix: 'Keep one of them.', path: [...path, 'ready'] }];
  });
}

const ADDRESS = /\{\{([\w-]+)\.(?:url|port)\}\}/g;

/** An address of a service that is not there would be sent as it stands. */
function reviewAddresses({ services = [], steps, before, after, env }: RehearsalDocument): UnlocatedProblem[] {
  const names = services.map(({ name }) => name);
  const findings: UnlocatedProblem[] = [];
  eachText({ services, steps, before, after, env }, (text, path) => {
    for (const [whole, name = ''] of text.matchAll(ADDRESS)) {
      if (names.includes(name)) continue;
      const near = nearestWord(name, names);
      findings.push({
        code: 'UNKNOWN_PLACEHOLDER',
        message: `there is no service for \`${whole}\``,
        fix: near === undefined ? `Add it to \`[[services]]\`, with \`name = "${name}"\`.` : `Change it to "${near}".`,
        path,
      });
    }
  });
  return findings;
}
