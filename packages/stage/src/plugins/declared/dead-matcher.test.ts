import { describe, expect, it } from 'vitest';
import { lookAtMatcher } from './dead-matcher.js';

describe('a matcher that never fits', () => {
  it.each([
    ['SessionStart', 'start-up', 'Did you mean startup?'],
    ['SessionStart', 'zzz', 'Use one of startup, resume, clear, compact, fork, or * for all.'],
    ['PreCompact', 'aoto', 'Did you mean auto?'],
    ['PreToolUse', 'bash', 'Did you mean Bash?'],
    ['PostToolUse', 'Wriet|Edti', 'Did you mean Write?'],
    ['PostToolUse', 'Edit|Wriet', 'Did you mean Write?'],
    ['PreToolUse', '^bash$', 'Did you mean Bash?'],
    ['PreToolUse', 'Bash(git *)', 'Did you mean Bash?'],
  ])('%s %s', (event, matcher, fix) => {
    const { issue } = lookAtMatcher(event, matcher);
    expect(issue?.reason).toContain('never fits');
    expect(issue?.fix).toBe(fix);
  });
});

describe('a matcher that fits, or may fit', () => {
  it.each([
    ['PreToolUse', ''],
    ['PreToolUse', '*'],
    ['PreToolUse', '.*'],
    ['PreToolUse', 'Write|Edit|MultiEdit'],
    ['PreToolUse', 'Notebook.*'],
    ['PreToolUse', 'Task'],
    ['PreToolUse', 'LSP|PowerShell'],
    ['PreToolUse', 'ListMcpResourcesTool'],
    ['PreToolUse', 'mcp__memory__.*'],
    ['PreToolUse', 'mcp__x__y'],
    ['PreToolUse', 'Write('],
    ['SessionStart', 'startup|resume'],
    ['SubagentStop', 'my-plugin:reviewer'],
    ['UserPromptExpansion', 'plan'],
    ['FileChanged', '.env'],
    ['Stop', 'anything'],
    ['NoSuchEvent', 'anything'],
  ])('%s %s', (event, matcher) => {
    expect(lookAtMatcher(event, matcher)).toEqual({});
  });

  it('is a note where only we do not know the name, or where both spellings are there', () => {
    expect(lookAtMatcher('PreToolUse', 'TotallyNewInstrument').note).toContain('we know no such tool');
    expect(lookAtMatcher('PreToolUse', 'Bash|bash').note).toContain('did you mean Bash?');
    expect(lookAtMatcher('SubagentStop', 'Explor').note).toContain('did you mean Explore?');
  });
});
