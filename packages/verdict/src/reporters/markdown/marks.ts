export const FAILED_MARK = '❌';
export const PASSED_MARK = '✅';

export const CHECK_MARKS = { passed: PASSED_MARK, failed: FAILED_MARK, unjudged: '❔' } as const;

export const QUALITY_MARKS = { Optimal: '🟢', Good: '🟡', Acceptable: '🟠', Suboptimal: '🔴' } as const;

export const SEVERITY_MARKS = { Critical: '🔴', Warning: '🟡', Info: 'ℹ️' } as const;
