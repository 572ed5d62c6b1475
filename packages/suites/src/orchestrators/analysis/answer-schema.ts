import {
  failureTypes,
  loopholeSchema,
  optimizationSchema,
  patternSchema,
  potentialFixSchema,
  qualityScores,
  rationalizationSchema,
  recommendationSchema,
  warningSchema,
} from '@understudy/verdict';
import * as z from 'zod/mini';

/** The event whose payload is the answer. */
export const ANSWER_TOPIC = 'analyze.complete';

const text = z.string().check(z.minLength(1));
const texts = z._default(z.array(text), []);

/** What only the harness can know; an agent is not asked for it. */
export const harnessFailures: readonly string[] = ['HarnessError', 'BaselineGreen', 'NotJudged'];
type AnalyzedFailure = Exclude<(typeof failureTypes)[number], 'HarnessError' | 'BaselineGreen' | 'NotJudged'>;
export const analyzedFailures = failureTypes.filter((type): type is AnalyzedFailure => !harnessFailures.includes(type));

const failedAnalysisSchema = z.strictObject({
  test: text,
  failure_type: z.enum(analyzedFailures),
  root_cause_hypothesis: text,
  evidence: texts,
  suggested_investigations: texts,
  potential_fixes: z._default(z.array(potentialFixSchema), []),
});

const passedAnalysisSchema = z.strictObject({
  test: text,
  quality_score: z.enum(qualityScores),
  warnings: z._default(z.array(warningSchema), []),
  optimizations: z._default(
    z.array(z.strictObject({ ...optimizationSchema.shape, category: z._default(text, 'general') })),
    [],
  ),
});

/** The lists of the answer, by the schema of their entries. */
export const answerLists = {
  failed_analyses: failedAnalysisSchema,
  passed_analyses: passedAnalysisSchema,
  patterns: z.strictObject({ ...patternSchema.shape, affected_tests: texts }),
  rationalizations: rationalizationSchema,
  loopholes: z.strictObject({ ...loopholeSchema.shape, evidence: texts, affected_tests: texts }),
  recommendations: z.strictObject({ ...recommendationSchema.shape, affected_tests: texts }),
} as const;

export type ListName = keyof typeof answerLists;
export type AnswerEntry<Name extends ListName> = z.infer<(typeof answerLists)[Name]>;

/** What the agent says about a run, as far as it can be read. */
export type Answer = { [Name in ListName]: AnswerEntry<Name>[] };

/** What an answer looks like; a test compares it with the schemas. */
export const answerExample: Answer = {
  failed_analyses: [
    {
      test: 'the id of a failed test',
      failure_type: 'EventMissing',
      root_cause_hypothesis: 'what went wrong, and why',
      evidence: ['a fact from the test that shows it'],
      suggested_investigations: ['what to look at next'],
      potential_fixes: [
        {
          description: 'what to change',
          confidence: 0.7,
          file_to_modify: 'the file, if you know it',
          suggested_change: 'the change in words or code',
        },
      ],
    },
  ],
  passed_analyses: [
    {
      test: 'the id of a passed test',
      quality_score: 'Good',
      warnings: [
        { category: 'ExcessiveIterations', message: 'what is not as it should be', evidence: 'what shows it' },
      ],
      optimizations: [
        {
          category: 'prompt',
          description: 'what could be better',
          potential_improvement: 'what that would gain',
          suggested_change: 'how',
        },
      ],
    },
  ],
  patterns: [
    { description: 'what several tests share', affected_tests: ['their ids'], suggested_fix: 'one fix for all' },
  ],
  rationalizations: [
    {
      test: 'the id of a test',
      rationalization: 'the words of its agent, exactly as it wrote them',
      reality: 'what it did instead',
      action: 'how to make the excuse useless',
    },
  ],
  loopholes: [
    {
      title: 'a way to pass without doing the work',
      pattern: 'how agents use it',
      evidence: ['where it was seen'],
      affected_tests: ['ids of tests'],
      suggested_counter: 'the check or instruction that closes it',
      new_test: 'a-name-for-the-test-that-is-missing',
    },
  ],
  recommendations: [
    {
      severity: 'Warning',
      category: 'prompt',
      title: 'what to do, in a few words',
      description: 'why, and how',
      affected_tests: ['ids of tests'],
      suggested_fix: 'the first step',
    },
  ],
};
