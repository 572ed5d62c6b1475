/** Runs on many machines: the queue on Postgres, and the bundle that travels. */
export const queueCodes = {
  QUEUE_NOT_INSTALLED: {
    meaning: 'The queue needs the packages `pg` and `pg-boss`, which do not come with Understudy.',
    fix: 'Run `npm install pg pg-boss@10.4.2` beside Understudy.',
  },
  QUEUE_UNREACHABLE: {
    meaning: 'The database of the queue does not answer.',
    fix: 'Check the host and port in `--queue`, and that Postgres runs there and accepts connections from this machine.',
  },
  QUEUE_REFUSED: {
    meaning: 'The database of the queue refuses the user, the password, or what the user may do.',
    fix: 'Check user, password and database in `--queue` (or PGPASSWORD), and that the user may create schemas.',
  },
  QUEUE_SCHEMA_NEWER: {
    meaning: 'A newer version of Understudy has changed the tables of the queue.',
    fix: 'Update Understudy here to the version that the others use.',
  },
  QUEUE_OTHER_VERSION: {
    meaning: 'The run was put into the queue by another version of Understudy than that of this worker.',
    fix: 'Install the same version on all machines.',
  },
  QUEUE_RUN_UNKNOWN: {
    meaning: 'There is no run of this id in the queue.',
    fix: 'Run `understudy queue list` to see the runs.',
  },
  QUEUE_FULL: {
    meaning: 'More entries wait in the queue than `--queue-limit` allows.',
    fix: 'Wait until workers have taken some, start more workers, or raise `--queue-limit`.',
  },
  QUEUE_ENTRY_LOST: {
    meaning: 'Several workers in a row died or stopped while they played this entry.',
    fix: 'Play the entry alone on one machine, and look at its memory and time.',
  },
  BUNDLE_TOO_LARGE: {
    meaning: 'The files that a run on a queue needs are too large to travel.',
    fix: 'Make the project smaller, or leave out what the rehearsals do not need.',
  },
  BUNDLE_PATH_REFUSED: {
    meaning: 'A file that a run on a queue needs cannot travel to another machine.',
    fix: 'Name it by a path relative to the rehearsal, and use plain files and folders.',
  },
} as const;
