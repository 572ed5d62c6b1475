import { type Stamped, stampPart } from '@understudy/kit';
import type { OwnSuite } from '../testing/suite-tools.js';

export type {
  EntryStage,
  SuiteCheck,
  SuiteEntry,
  SuiteFile,
  SuiteOf,
  SuitePlay,
} from '@understudy/suites';
export type { OwnSuite, SuiteProgramOptions, SuiteTools } from '../testing/suite-tools.js';

/**
 * Defines a suite: entries that are data, and what plays one. It is the default export of a module that `suites` in
 * understudy.toml names.
 */
export function defineSuite<Data>(suite: OwnSuite<Data>): OwnSuite<Data> & Stamped {
  return stampPart('suite', suite);
}
