import { defineConfig } from 'vitest/config'
import short, {
  CONSOLE,
  MOCKING,
  ON_PGLITE_TOO,
  onEngine,
  POSTGRES_ONLY,
  SANDBOX,
  SANDBOX_ON_PGLITE_TOO,
} from './vitest.config.ts'

const LONG = ['lib/**/*.long.ts', 'lib/commands/{faults,kill}.test.ts']

/** The long forms of tests whose short forms run with all the others, and on the embedded engine what else runs on PostgreSQL alone. */
export default defineConfig({
  resolve: short.resolve,
  test: {
    ...short.test,
    // Most of these keep a core busy.
    maxWorkers: 2,
    projects: [
      onEngine('long', 'pglite', {
        include: LONG,
        exclude: [
          ...POSTGRES_ONLY,
          'lib/{store,stream}/*.long.ts',
          'lib/commands/policy/{approval-processes,limit-race}.long.ts',
        ],
      }),
      onEngine('long, PostgreSQL', 'postgres', { include: LONG }),
      onEngine('sandbox, PostgreSQL', 'postgres', { include: ['sandbox/durability.test.ts'] }),
      onEngine('console, embedded', 'pglite', {
        include: CONSOLE,
        exclude: [...MOCKING, ...ON_PGLITE_TOO, ...POSTGRES_ONLY, ...LONG],
      }),
      onEngine('sandbox, embedded', 'pglite', { include: SANDBOX, exclude: SANDBOX_ON_PGLITE_TOO }),
    ],
  },
})
