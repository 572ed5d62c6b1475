import { agentNames } from '@understudy/agents';
import { UnderstudyError } from '@understudy/kit';
import { allQueues, Database, type DatabaseOptions, Jobs, migrate, QUEUE_VARIABLE } from '@understudy/suites';

/** Does something with the database of a queue. */
export async function withQueue<T>(
  url: string,
  work: (database: Database) => Promise<T>,
  options?: DatabaseOptions,
): Promise<T> {
  const database = await Database.open(url, options);
  try {
    await migrate(database);
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The same with its jobs. */
export function withJobs<T>(
  url: string,
  work: (database: Database, jobs: Jobs) => Promise<T>,
  { maintain = false, ...options }: DatabaseOptions & { maintain?: boolean } = {},
): Promise<T> {
  return withQueue(
    url,
    async (database) => {
      const jobs = await Jobs.open(database, allQueues(agentNames), { maintain });
      try {
        return await work(database, jobs);
      } finally {
        await jobs.close();
      }
    },
    options,
  );
}

/** The address from a flag or the environment. */
export function queueAddress(flag: string | undefined): string {
  const address = flag ?? process.env[QUEUE_VARIABLE];
  if (address !== undefined && address !== '') return address;
  throw new UnderstudyError('BAD_FLAG', 'the queue is not named', {
    fix: `Give --queue postgres://USER@HOST/DATABASE, or set ${QUEUE_VARIABLE}.`,
  });
}
