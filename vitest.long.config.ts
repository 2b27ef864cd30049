import { defineConfig } from 'vitest/config'
import short, {
  CONSOLE,
  MOCKING,
  ON_POSTGRES_TOO,
  onEngine,
  POSTGRES_ONLY,
  SANDBOX,
  SANDBOX_ON_POSTGRES_TOO,
} from './vitest.config.ts'

const LONG = ['lib/**/*.long.ts', 'lib/commands/{faults,kill}.test.ts']

/** The long forms of tests whose short forms run with all the others, and on PostgreSQL what else runs on PGlite alone. */
export default defineConfig({
  resolve: short.resolve,
  test: {
    ...short.test,
    projects: [
      onEngine('long', 'pglite', { include: LONG, exclude: POSTGRES_ONLY }),
      onEngine('long, PostgreSQL', 'postgres', { include: LONG }),
      onEngine('console, PostgreSQL', 'postgres', {
        include: CONSOLE,
        exclude: [...MOCKING, ...ON_POSTGRES_TOO, ...POSTGRES_ONLY],
      }),
      onEngine('sandbox, PostgreSQL', 'postgres', { include: SANDBOX, exclude: SANDBOX_ON_POSTGRES_TOO }),
    ],
  },
})
