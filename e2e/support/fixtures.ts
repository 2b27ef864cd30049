import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { type Engine, type Environment, type Programs, startPrograms } from './programs.ts'
import { SandboxControls } from './sandbox-controls.ts'

interface TestFixtures {
  readonly sandbox: SandboxControls
  /** Console messages that this test expects: a refused request shows as one. */
  readonly expectedErrors: RegExp[]
  readonly alone: undefined
}

/** What a project of `playwright.config.ts` sets. */
export interface ProgramOptions {
  /** Variables of the console. */
  readonly consoleEnvironment: Environment
  readonly engine: Engine
}

interface WorkerFixtures extends ProgramOptions {
  /** The spec that the programs were last used by. */
  readonly latest: { file: string | null }
  readonly programs: Programs
}

/** A page of a browser with one worker's own sandbox and console; any console error or CSP violation fails the test. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  consoleEnvironment: [{}, { option: true, scope: 'worker' }],
  engine: ['postgres', { option: true, scope: 'worker' }],

  programs: [
    async ({ consoleEnvironment, engine }, use) => {
      const programs = await startPrograms(consoleEnvironment, engine)
      await use(programs)
      await programs.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  latest: [async ({}, use) => use({ file: null }), { scope: 'worker' }],

  /** Every spec begins with an empty store and the seeded world, whichever specs this worker ran before. */
  alone: [
    async ({ programs, latest }, use, { file }) => {
      if (latest.file !== null && latest.file !== file) await programs.startOver()
      latest.file = file
      await use(undefined)
    },
    { auto: true, timeout: 90_000 },
  ],

  baseURL: async ({ programs }, use) => use(programs.consoleUrl),

  sandbox: async ({ programs }, use) => {
    const controls = new SandboxControls(programs.sandboxUrl)
    await controls.reset()
    await use(controls)
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  expectedErrors: async ({}, use) => use([]),

  page: async ({ page, expectedErrors }, use) => {
    await reportViolations(page)
    const errors = collectErrors(page)
    await use(page)
    expectNoErrors(errors, expectedErrors)
  },
})

/** None but those that the test expects. */
export const expectNoErrors = (errors: readonly string[], expectedErrors: readonly RegExp[]): void =>
  expect(errors.filter((error) => !expectedErrors.some((expected) => expected.test(error)))).toEqual([])

/** What Chromium writes of requests to a console that is stopped, stopping or starting; which form depends on the moment. */
export const CONSOLE_AWAY =
  /ERR_(CONNECTION|EMPTY_RESPONSE|INCOMPLETE|SOCKET_NOT_CONNECTED)|Failed to fetch|status of 503/

/** Not every refusal of the content security policy is written to the console by the browser itself. */
export async function reportViolations(page: Page): Promise<void> {
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      reportError(new Error(`securitypolicyviolation: ${event.effectiveDirective} refused ${event.blockedURI}`))
    })
  })
}

/** Whatever a browser complains about: errors of the console, of scripts, and refusals of the content security policy. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => errors.push(error.message))
  return errors
}

/** No finding of axe that is serious or worse; of some of its rules, where these are given. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  // No page has frames, and only what is wrong is of interest: so it takes a quarter of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`)).toEqual([])
}

export { expect }
