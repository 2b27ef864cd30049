import { defineConfig } from 'vitest/config'
import short from './vitest.config.ts'

/** The long forms of tests whose short forms run with all the others. */
export default defineConfig({
  resolve: short.resolve,
  test: {
    ...short.test,
    projects: (['pglite', 'postgres'] as const).map((engine) => ({
      extends: true as const,
      test: { name: engine, include: ['lib/**/*.long.ts'], env: { TEST_ENGINE: engine } },
    })),
  },
})
