import { globSync, readFileSync } from 'node:fs'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

const root = import.meta.dirname

export const CONSOLE = ['{app,components,lib,scripts,tools}/**/*.test.{ts,tsx}']
export const SANDBOX = ['sandbox/**/*.test.ts']

const replacesModules = (file: string): boolean => /^vi\.(?:mock|doMock)\(/m.test(readFileSync(file, 'utf8'))
const patternOf = (file: string): string => file.replaceAll('\\', '/').replace(/[()[\]]/g, '\\$&')

/** These replace modules, or load what patches errors: neither must reach the files that come after them in the same worker. */
export const MOCKING = ['app/proxy.test.ts', ...globSync(CONSOLE).filter(replacesModules).map(patternOf)]

/** Several console processes share one store, clocks differ, transactions overlap, or a network lies between. */
export const POSTGRES_ONLY = [
  'lib/database/prepared-statements.test.ts',
  'lib/journal/append.test.ts',
  'lib/commands/kill.test.ts',
  'lib/disputes/queue/case-clock.test.ts',
  'lib/disputes/workspace/claim-race.test.ts',
  'lib/statements/return-race.test.ts',
  'lib/stream/change-feed-between-processes.test.ts',
  'lib/store/silent-database.test.ts',
  'scripts/audit-verify.test.ts',
]

/**
 * Where the engines differ: files, migrations, locks, refusals. All tests run on PostgreSQL; these on the embedded engine
 * too, and all others with `npm run test:long`.
 */
export const ON_PGLITE_TOO = [
  'lib/database/**/*.test.ts',
  'lib/store/**/*.test.ts',
  'lib/commands/{store,locks,lock-order}.test.ts',
]
export const SANDBOX_ON_PGLITE_TOO = ['sandbox/durability.test.ts', 'sandbox/world/**/*.test.ts']

/** Embedded databases are their subject; the second runs on a server in `npm run test:long`. */
const ON_PGLITE_ALONE = ['lib/database/private-folder.test.ts', 'sandbox/durability.test.ts']

interface Files {
  readonly include: readonly string[]
  readonly exclude?: readonly string[]
}

/** Files of a worker share its process, and with it a database: opening one takes longer than most tests. */
export const onEngine = (
  name: string,
  engine: 'pglite' | 'postgres',
  { include, exclude = [] }: Files,
): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include: [...include], exclude: [...exclude], isolate: false, env: { TEST_ENGINE: engine } },
})

export default defineConfig({
  resolve: {
    // Next gives this package its meaning; outside it there is nothing to guard.
    alias: { 'server-only': `${root}/node_modules/server-only/empty.js` },
  },
  test: {
    pool: 'forks',
    // One more than a small machine has cores: many tests wait for something.
    maxWorkers: 3,
    // Timeouts end what hangs: a test waits for a condition, however busy the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    globalSetup: ['lib/testing/postgres-setup.ts'],
    setupFiles: ['lib/testing/real-timers.ts'],
    projects: [
      { extends: true, test: { name: 'mocking', include: MOCKING, env: { TEST_ENGINE: 'postgres' } } },
      // What takes longest by the file comes first, so that no worker waits for it in the end.
      onEngine('sandbox, embedded', 'pglite', { include: SANDBOX_ON_PGLITE_TOO }),
      onEngine('console, embedded', 'pglite', { include: ON_PGLITE_TOO, exclude: POSTGRES_ONLY }),
      onEngine('console', 'postgres', { include: CONSOLE, exclude: [...MOCKING, ...ON_PGLITE_ALONE] }),
      onEngine('sandbox', 'postgres', { include: SANDBOX, exclude: ON_PGLITE_ALONE }),
    ],
  },
})
