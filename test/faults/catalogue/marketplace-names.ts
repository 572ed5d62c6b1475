// The rehearsals of examples/marketplace that the faults name.

export const epti = {
  hook: 'installation/epti-with-its-hook',
  write: 'commands/epti-write-tests',
  verify: 'commands/epti-verify-fail',
  commitTests: 'commands/epti-commit-tests',
  implement: 'commands/epti-implement',
  commitCode: 'commands/epti-commit-code',
  refused: 'agents/code-before-tests-is-refused',
  documents: 'agents/gate-knows-documents',
};
export const loop = {
  alone: 'installation/agent-loop-alone',
  explore: 'commands/agent-loop-explore',
  plan: 'commands/agent-loop-plan',
  code: 'commands/agent-loop-code',
  commit: 'commands/agent-loop-commit',
  noHands: 'agents/guide-has-no-hands',
  unplanned: 'agents/unplanned-code-is-named',
  skill: 'agents/skill-gives-the-order',
};
export const visual = {
  server: 'installation/visual-iteration-with-its-server',
  screenshot: 'commands/visual-iteration-screenshot',
  feedback: 'commands/visual-iteration-feedback',
  refine: 'commands/visual-iteration-refine',
  commit: 'commands/visual-iteration-commit-visual',
  vague: 'agents/vague-wish-is-measured',
};
export const promptctl = {
  log: 'commands/promptctl-log',
  rules: 'commands/promptctl-rules',
  blocks: 'agents/promptctl-blocks',
  broken: 'agents/broken-rules-hold-everything',
};
