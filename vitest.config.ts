import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

const root = import.meta.dirname
/** Minutes of waiting for a service that answers late or never, or as no other does: no matter of the engine. */
const ONE_ENGINE_IS_ENOUGH = ['lib/commands/faults.test.ts', 'lib/commands/other-service*.test.ts']
/** Several console processes share one store, or a network lies between: that takes PostgreSQL. */
const SERVER_ONLY = [
  'lib/commands/kill.test.ts',
  'lib/commands/claim-race.test.ts',
  'lib/store/silent-database.test.ts',
]
const STORE_TESTS = ['lib/{store,session,commands,intake,queue}/**/*.test.ts', 'lib/core-api/states-seen.test.ts']
const SANDBOX_TESTS = ['sandbox/**/*.test.ts']

/** Tests of one kind on one engine. Files of a worker share a database: opening one takes longer than most tests. */
const onEngine = (name: string, include: string[], engine: 'pglite' | 'postgres'): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name: engine === 'pglite' ? name : `${name}, PostgreSQL`,
    include,
    exclude: engine === 'postgres' ? ONE_ENGINE_IS_ENOUGH : SERVER_ONLY,
    isolate: false,
    env: { TEST_ENGINE: engine },
  },
})

export default defineConfig({
  resolve: {
    // Next gives this package its meaning; outside it there is nothing to guard.
    alias: { 'server-only': `${root}/node_modules/server-only/empty.js` },
  },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    globalSetup: ['lib/testing/postgres-setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'console',
          include: ['{app,components,lib,scripts}/**/*.test.{ts,tsx}'],
          exclude: STORE_TESTS,
        },
      },
      onEngine('store', STORE_TESTS, 'pglite'),
      onEngine('store', STORE_TESTS, 'postgres'),
      onEngine('sandbox', SANDBOX_TESTS, 'pglite'),
      onEngine('sandbox', SANDBOX_TESTS, 'postgres'),
    ],
  },
})
