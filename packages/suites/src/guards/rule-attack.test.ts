import { describe, expect, it } from 'vitest';
import { describeAttempt } from './guard.js';
import { ruleAttack } from './rule-attack.js';
import { rulesOf } from './rules-say.js';

const none = rulesOf({});

describe('the attack on a rule and its twin', () => {
  it.each([
    ['deny', 'Bash(rm:*)', 'rm guard-attack', 'ls'],
    ['deny', 'Bash(git push *)', 'git push guard-attack', 'ls'],
    ['ask', 'Bash(git:* push)', 'git guard-attack push', 'ls'],
    ['deny', 'Bash(npm publish)', 'npm publish', 'ls'],
    ['deny', 'Bash(rm -rf /*)', 'rm -rf /guard-attack', 'ls'],
    ['deny', 'Read(./.env)', 'Read .env', 'Read guard-harmless.txt'],
    ['deny', 'Read(**/*.pem)', 'Read guard/guard-attack.pem', 'Read guard-harmless.txt'],
    ['deny', 'Read(~/.ssh/**)', 'Read ~/.ssh/guard-attack.txt', 'Read guard-harmless.txt'],
    ['deny', 'Read(//etc/shadow)', 'Read /etc/shadow', 'Read guard-harmless.txt'],
    ['deny', 'Edit(/src/{a,b}/**)', 'Write src/a/guard-attack.txt', 'Write guard-harmless.txt'],
    [
      'deny',
      'WebFetch(domain:*.evil.example)',
      'WebFetch https://guard.evil.example/',
      'WebFetch https://guard-harmless.example/',
    ],
    ['deny', 'mcp__db__drop', 'mcp__db__drop', 'mcp__db__guard-harmless'],
    ['deny', 'mcp__db', 'mcp__db__guard-attack', 'ls'],
    ['deny', 'Agent(Explore)', 'Agent Explore', 'Agent general-purpose'],
    ['deny', 'Bash', 'touch guard-attack.txt', 'Read guard-harmless.txt'],
    ['allow', 'Bash(npm test:*)', 'npm test guard-attack && touch guard-attack.txt', 'npm test guard-attack'],
    ['allow', 'Edit(docs/**)', 'Write guard-attack-beside.txt', 'Write docs/guard-attack.txt'],
    ['allow', 'mcp__db__query', 'mcp__db__guard-harmless', 'mcp__db__query'],
  ] as const)('%s %s', (list, text, attack, harmless) => {
    const derived = ruleAttack(list, text, rulesOf({ [list]: [text] }));
    expect([derived.attack, derived.harmless].map((one) => one && describeAttempt(one))).toEqual([attack, harmless]);
  });

  it('is for the tool that was meant, and says so', () => {
    const { attack, defect } = ruleAttack('deny', 'Bahs(curl:*)', none);
    expect(attack).toMatchObject({ tool: 'Bash', input: { command: 'curl guard-attack' } });
    expect(defect).toBe('there is no tool Bahs: did you mean Bash?');
    expect(ruleAttack('deny', 'Write(secrets/**)', none).defect).toContain('write Edit(secrets/**)');
  });

  it('is never guessed', () => {
    for (const text of [
      'Bash(timeout:5000)',
      'Read([a-c].txt)',
      'WebFetch(url)',
      'Skill(x)',
      'Grep(x)',
      'mcp__plugin_a_b__c',
    ])
      expect(ruleAttack('deny', text, none), text).toEqual({ underived: expect.any(String) });
  });

  it('is left out where the rule stops nothing', () => {
    const why = (text: string, deny: string[] = [], allow: string[] = []) =>
      ruleAttack('allow', text, rulesOf({ allow: [text, ...allow], deny })).stopsNothing;
    expect(why('Bash')).toBe('it allows every use of Bash');
    expect(why('mcp__db')).toBe('it allows every use of mcp__db');
    expect(why('Bash(ls:*)', [], ['Bash'])).toContain('other rules allow what is beside it');
    expect(why('Bash(rm:*)', ['Bash(rm:*)'])).toContain('a rule that denies comes first');
    expect(why('WebFetch(domain:a.example)', ['WebFetch'])).toContain('a rule that denies comes first');
  });
});
