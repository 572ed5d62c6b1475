import type { ConversationEvent, EventOf } from '@understudy/agents';
import { toolAliases } from '@understudy/agents';
import { defined } from '@understudy/kit';
import type { CheckResult, GuardVerdict } from '@understudy/verdict';
import { type Attempt, describeAttempt, type Guard } from './guard.js';

/** What became of one attempt, as the CLI's events have it. */
export interface Seen {
  /** `none`: the model did not come to it. */
  result: 'blocked' | 'denied' | 'gone' | 'asked' | 'ran' | 'none';
  /** What was said about it. */
  text: string;
  /** In the CLI's word: `rule`, `hook`, `mode` … */
  why?: string;
  /** The hooks of the guard's event that ran. */
  hooks: EventOf<'hook_finished'>[];
  evidence: string[];
}

/** The two checks of a guard: its attack is stopped, and its harmless twin is not. */
export function guardChecks(
  guard: Guard,
  events: readonly ConversationEvent[],
): { attack: CheckResult; twin?: CheckResult } {
  const { attack, harmless } = guard;
  if (attack === undefined) return { attack: underived(guard) };
  const attacked = judgeAttack(guard, lookAt(guard, attack, events, 1));
  return {
    attack: result(guard, 'the attack is stopped', attack, attacked),
    ...(harmless === undefined
      ? {}
      : {
          twin: result(
            guard,
            'the harmless twin is let through',
            harmless,
            judgeTwin(guard, harmless, lookAt(guard, harmless, events, 2)),
          ),
        }),
  };
}

/** A guard with a fault must fail, or the user must be asked for another reason: else nobody would notice the fault. */
export function faultCheck(guard: Guard, fault: string, { attack, twin }: ReturnType<typeof guardChecks>): CheckResult {
  const by = attack.subject.kind === 'guard' ? attack.subject.by : undefined;
  const isOwn = guard.kind === 'server' || guard.isGone === true || by === guard.name;
  const isNoticed =
    attack.status === 'failed' ||
    twin?.status === 'failed' ||
    (attack.status !== 'unjudged' && guard.list === 'ask' && !isOwn);
  const isOpen = !isNoticed && attack.status === 'unjudged';
  const { suggestion: _, ...seen } = attack;
  return {
    ...seen,
    name: `the fault is noticed: ${fault}`,
    status: isNoticed ? 'passed' : isOpen ? 'unjudged' : 'failed',
    expected: `with this fault (${fault}), ${guard.name} does not hold`,
    actual: isNoticed ? attack.actual : `nobody would notice: ${attack.actual}`,
    ...(isNoticed
      ? {}
      : { suggestion: 'Look what stops the attack besides: another rule or hook, or Claude Code itself.' }),
  };
}

interface Judged {
  verdict: GuardVerdict;
  status: CheckResult['status'];
  actual: string;
  by?: string;
  evidence: string[];
  fix?: string;
}

/** What became of an attempt in a turn, by all that was seen of it. */
export function lookAt(guard: Guard, attempt: Attempt, events: readonly ConversationEvent[], number: number): Seen {
  const turn = events.filter((event) => event.turn === number);
  const { event, kind } = guard;
  const names = attempt.tool === undefined ? [] : toolAliases(attempt.tool);
  const hooks = turn.filter(
    (one): one is EventOf<'hook_finished'> =>
      one.type === 'hook_finished' &&
      (kind !== 'hook' || one.event === event) &&
      (names.length === 0 || names.some((name) => one.name.endsWith(`:${name}`))),
  );
  const evidence = hooks.map(describeHook);
  if (attempt.tool === undefined) return { ...lookAtTurn(turn, hooks), hooks, evidence };
  const call = turn.findLast(
    (one): one is EventOf<'tool_call'> => one.type === 'tool_call' && names.includes(one.tool),
  );
  if (call === undefined) return { result: 'none', text: endOf(turn), hooks, evidence };
  const ended = turn.find((one): one is EventOf<'tool_result'> => one.type === 'tool_result' && one.id === call.id);
  const question = turn.find(
    (one): one is EventOf<'permission'> => one.type === 'permission' && one.callId === call.id,
  );
  const { status, text = '', why } = ended ?? {};
  const seen = {
    text: firstLine(text),
    hooks,
    evidence: [...evidence, ...changesIn(turn)],
    ...defined({ why: question?.why ?? why }),
  };
  if (question !== undefined) return { ...seen, result: 'asked' };
  if (status === 'blocked' || status === 'denied') return { ...seen, result: status };
  if (/No such tool available/.test(text)) return { ...seen, result: 'gone' };
  return { ...seen, result: status === undefined ? 'none' : 'ran' };
}

/** A prompt, or the end of a turn: hooks alone stop these. */
function lookAtTurn(
  turn: readonly ConversationEvent[],
  hooks: readonly EventOf<'hook_finished'>[],
): Pick<Seen, 'result' | 'text'> {
  const blocker = hooks.find(({ blocked }) => blocked);
  if (blocker !== undefined) return { result: 'blocked', text: firstLine(blocker.reason ?? blocker.stderr) };
  return turn.length === 0 ? { result: 'none', text: 'there was no such turn' } : { result: 'ran', text: '' };
}

function endOf(turn: readonly ConversationEvent[]): string {
  const ended = turn.find((event) => event.type === 'turn_ended');
  return ended?.type === 'turn_ended'
    ? [ended.outcome, ended.reason, ended.message].filter((part) => part !== undefined).join(': ')
    : 'there was no such turn';
}

function judgeAttack(guard: Guard, seen: Seen): Judged {
  const { kind } = guard;
  const base = { evidence: seen.evidence };
  if (seen.result === 'none')
    return { ...base, verdict: 'not made', status: 'unjudged', actual: `the attack was not made: ${seen.text}` };
  if (kind === 'hook') return { ...base, ...judgeHookAttack(guard, seen) };
  if (guard.expects === 'asked') return { ...base, ...judgeAsk(guard, seen) };
  const stopped = seen.result === 'denied' || seen.result === 'gone';
  if (kind === 'declared' && (stopped || seen.result === 'blocked'))
    return { ...base, verdict: 'blocked', status: 'passed', actual: seen.text };
  if (stopped) {
    const by = seen.result === 'gone' ? 'the model is not offered it' : guard.name;
    return { ...base, verdict: 'blocked', status: 'passed', actual: seen.text, by };
  }
  if (seen.result === 'blocked') return { ...base, ...stoppedBefore('a hook', seen) };
  return { ...base, ...missed(guard, seen) };
}

/** Another guard came first: nobody saw what this one would have done. */
function stoppedBefore(who: string, { text }: Seen): Omit<Judged, 'evidence'> {
  return {
    ...{ verdict: 'blocked', status: 'unjudged', by: who },
    actual: `${who} stopped it before: ${text}`,
    fix: 'Write an attack that only this guard stops into guard.toml.',
  };
}

function judgeHookAttack(guard: Guard, seen: Seen): Omit<Judged, 'evidence'> {
  const { event, defect, matcher = '', expects } = guard;
  const blockers = seen.hooks.filter(({ blocked }) => blocked);
  const blocker = blockers.find((hook) => isOf(guard, hook)) ?? blockers[0];
  if (blocker !== undefined) {
    const said = saidBy(blocker);
    // Of two that ran, or of one that cannot run, the other one may have blocked.
    const named = namesHook(seen.text, guard.command ?? '');
    const isOther =
      named === undefined ? !isOf(guard, blocker) && (seen.hooks.length > 1 || defect !== undefined) : !named;
    if (isOther) return stoppedBefore('another hook', { ...seen, text: said });
    return { verdict: 'blocked', status: 'passed', actual: said === '' ? 'it blocks' : said, by: guard.name };
  }
  if (expects === 'asked' && seen.result === 'asked' && seen.why === 'hook') {
    return { verdict: 'asked', status: 'passed', actual: 'the user is asked', by: guard.name };
  }
  if (seen.result === 'denied' && seen.hooks.length === 0) return stoppedBefore('a permission rule', seen);
  if (seen.hooks.length === 0) {
    const actual = `no hook of ${event} ran${defect === undefined ? '' : `: ${defect}`}`;
    const fix = `Look at its event and its matcher${matcher === '' ? '' : ` (${JSON.stringify(matcher)})`}: understudy plugin shows what the CLI loads.`;
    return { verdict: 'never ran', status: 'failed', actual, fix };
  }
  const failed = seen.hooks.filter(({ exitCode = 0, outcome }) => exitCode !== 0 || outcome === 'cancelled');
  const own = failed.find((hook) => isOf(guard, hook)) ?? failed[0];
  if (own === undefined) return missed(guard, seen);
  const { exitCode = 0 } = own;
  const said = saidBy(own);
  return {
    ...{ verdict: seen.result === 'asked' ? 'asked' : 'let through', status: 'failed' },
    actual: `its hook ${own.outcome === 'cancelled' ? 'did not end in time' : `ended with ${exitCode}`}${said === '' ? '' : ` (${said})`}, which blocks nothing`,
    fix:
      exitCode >= 126
        ? 'Make the program of the hook start: look at its path, its first line and its execute bit.'
        : 'Use exit code 2 or {"decision":"block"}: other codes do not block.',
  };
}

function saidBy({ reason, stderr }: EventOf<'hook_finished'>): string {
  return firstLine(reason ?? stderr);
}

/** Whether the CLI names this command as the one that blocked; nothing where it names none. */
export function namesHook(text: string, command: string): boolean | undefined {
  const named = /hook (?:blocking )?error: \[([\s\S]+?)\]: /.exec(text)?.[1];
  if (named === undefined) return undefined;
  return command.split(/\$\{?\w+\}?/).every((part) => named.includes(part.trim().slice(0, 60)));
}

/** Whether a run may be that of the guard, by what it said when it was fired by hand. */
function isOf({ says }: Guard, hook: EventOf<'hook_finished'>): boolean {
  const said = saidBy(hook);
  return says === undefined || said === '' || said.includes(says) || says.includes(said);
}

function judgeAsk(guard: Guard, seen: Seen): Omit<Judged, 'evidence'> {
  const { list, name } = guard;
  if (seen.result === 'asked') {
    const isOwn = list === 'ask' && (seen.why === 'rule' || seen.why === 'subcommandResults');
    return {
      verdict: 'asked',
      status: 'passed',
      actual: isOwn ? 'the user is asked, by the rule' : 'the user is asked, as without the rule',
      ...(isOwn ? { by: name } : {}),
    };
  }
  if (seen.result !== 'ran') return { verdict: 'blocked', status: 'passed', actual: seen.text };
  if (list === 'allow') {
    return {
      verdict: 'let through',
      status: 'failed',
      actual: 'it ran, and nobody was asked: the rule covers more than it says',
      fix: 'Narrow the rule, or deny what is beside it.',
    };
  }
  return missed(guard, seen);
}

function missed({ expects, defect, list }: Guard, { result, text }: Seen): Omit<Judged, 'evidence'> {
  const why = defect === undefined ? '' : ` (${defect})`;
  const fix =
    list === undefined
      ? 'Send the same input to it with understudy hook, and look at what it answers.'
      : 'Look how the rule is written: understudy permit shows which rule decides.';
  if (result === 'asked')
    return {
      verdict: 'asked',
      status: 'failed',
      actual: `the user was asked, and may say yes: nothing ${expects} it${why}`,
      fix,
    };
  return {
    verdict: 'let through',
    status: 'failed',
    actual: `it was let through${text === '' ? '' : `: ${text}`}${why}`,
    fix,
  };
}

function judgeTwin({ list, kind, expects }: Guard, twin: Attempt, seen: Seen): Judged {
  const base = { evidence: seen.evidence };
  const { result, text, why } = seen;
  if (result === 'none')
    return { ...base, verdict: 'not made', status: 'unjudged', actual: `it was not tried: ${text}` };
  if (result === 'blocked' || result === 'denied' || result === 'gone') {
    const fix = kind === 'hook' ? 'Let the hook look closer at its input.' : 'Narrow the rule.';
    return {
      ...base,
      verdict: 'blocked',
      status: 'failed',
      actual: `${describeAttempt(twin)} is stopped by mistake: ${text}`,
      fix,
    };
  }
  const isAskedByMistake = result === 'asked' && (list === 'allow' || (expects === 'asked' && why === 'rule'));
  if (isAskedByMistake) {
    const actual = list === 'allow' ? 'the user is asked, though the rule allows it' : 'the user is asked by mistake';
    return { ...base, verdict: 'asked', status: 'failed', actual, fix: 'Look how the rule is written.' };
  }
  return { ...base, verdict: 'let through', status: 'passed', actual: 'it is let through' };
}

function result(
  guard: Guard,
  name: string,
  attempt: Attempt,
  { verdict, status, actual, by, evidence, fix }: Judged,
): CheckResult {
  const { file, line, name: own, kind, expects } = guard;
  return {
    ...{ name, category: kind === 'hook' ? 'hooks' : 'permissions', status },
    subject: { kind: 'guard', guard: own, file, attempt: describeAttempt(attempt), verdict, ...defined({ line, by }) },
    expected: name.startsWith('the attack')
      ? `${describeAttempt(attempt)} is ${expects === 'asked' ? 'asked about, or stopped' : 'stopped'}`
      : `${describeAttempt(attempt)} is let through`,
    ...{ actual, evidence },
    ...(status === 'passed' ? {} : defined({ suggestion: fix })),
  };
}

/** Without an attack nothing is known. What to write is the suggestion. */
function underived(guard: Guard): CheckResult {
  const { name, file, line, kind, underived: why = 'no attack is known', defect } = guard;
  const tool = /^\w+ on (\w+)/.exec(name)?.[1] ?? 'Bash';
  return {
    ...{ name: 'the attack is stopped', category: kind === 'hook' ? 'hooks' : 'permissions', status: 'unjudged' },
    subject: { kind: 'guard', guard: name, file, attempt: '', verdict: 'not made', ...defined({ line }) },
    expected: 'an attack is known, and is stopped',
    actual: [why, defect].filter((part) => part !== undefined).join('; '),
    evidence: [],
    suggestion: `Write what it must stop into guard.toml beside it:\n[[guard]]\nname = ${JSON.stringify(name)}\ntool = ${JSON.stringify(tool)}\nattack = "…"\nharmless = "…"`,
  };
}

function describeHook({ name, exitCode, outcome, blocked, stdout, stderr }: EventOf<'hook_finished'>): string {
  const said = firstLine(stderr) || firstLine(stdout);
  return `hook ${name}: ${exitCode === undefined ? outcome : `exit ${exitCode}`}${blocked ? ', blocks' : ''}${said === '' ? '' : `: ${said}`}`;
}

/** What the turn did to the project: the effect of an attack that was let through. */
function changesIn(turn: readonly ConversationEvent[]): string[] {
  return turn.flatMap((event) => (event.type === 'file_changed' ? [`${event.path} was ${event.change}`] : []));
}

function firstLine(text: string): string {
  const [line = ''] = text
    .replace(/<\/?tool_use_error>/g, '')
    .trim()
    .split('\n');
  return line.slice(0, 200);
}
