import { CliError } from '@understudy/agents';

/** The real CLI ends here, in the middle of a turn, with an error as its result. */
export class SessionCrash extends CliError {
  override readonly name = 'SessionCrash';
}
