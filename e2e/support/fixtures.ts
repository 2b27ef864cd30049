import { readFileSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page, type Request } from '@playwright/test'
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
    { scope: 'worker', timeout: 400_000 },
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
    { auto: true, timeout: 400_000 },
  ],

  baseURL: async ({ programs }, use) => use(programs.consoleUrl),

  sandbox: async ({ programs }, use) => {
    const controls = new SandboxControls(programs.sandboxUrl)
    await controls.reset()
    await use(controls)
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  expectedErrors: async ({}, use) => use([]),

  page: async ({ page, expectedErrors }, use, info) => {
    const errors = await collectErrors(page)
    const steps = await recordSteps(page)
    await use(page)
    if (info.status !== info.expectedStatus) {
      await info.attach('steps', { body: steps.join('\n'), contentType: 'text/plain' })
      // biome-ignore lint/suspicious/noConsole: the reporter shortens an attachment.
      console.error(steps.join('\n'))
    }
    expectNoErrors(errors, expectedErrors)
  },
})

/** None but those that the test expects. */
export const expectNoErrors = (errors: readonly string[], expectedErrors: readonly RegExp[]): void =>
  expect(errors.filter((error) => !expectedErrors.some((expected) => expected.test(error)))).toEqual([])

/** What Chromium writes of requests to a console that is stopped, stopping or starting; which form depends on the moment. */
export const CONSOLE_AWAY =
  /ERR_(CONNECTION|EMPTY_RESPONSE|INCOMPLETE|SOCKET_NOT_CONNECTED)|Failed to fetch|status of 503/

const REFUSED_FOR_SESSION = /status of 401 .*\/api\//

/**
 * Collects from now on whatever a browser complains about: errors of the console and of scripts, refusals of the content
 * security policy, and requests that a page sends although it knows that its session has ended. A request that crossed the end
 * of its session is answered with 401: that is no error once the page knows of the end, or was left.
 */
export async function collectErrors(page: Page): Promise<string[]> {
  const errors: string[] = []
  let hasSessionEnded = false
  const setSessionEnded = (hasEnded: boolean) => {
    hasSessionEnded = hasEnded
    if (!hasEnded) return
    const kept = errors.filter((error) => !REFUSED_FOR_SESSION.test(error))
    errors.splice(0, errors.length, ...kept)
  }
  page.on('console', (message) => {
    const error = `${message.text()} ${message.location().url}`
    if (message.type() === 'error' && !(hasSessionEnded && REFUSED_FOR_SESSION.test(error))) errors.push(error)
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) setSessionEnded(isSignedOutPage(frame.url()))
  })
  await page.exposeFunction('setSessionEnded', setSessionEnded)
  await page.addInitScript(watchPage)
  await page.addInitScript(watchTimers)
  return errors
}

const STEPS_MAX = 80

/** The last clicks, requests (without their query) and navigations of a page. */
async function recordSteps(page: Page): Promise<readonly string[]> {
  const steps: string[] = []
  const began = performance.now()
  const record = (step: string) => {
    steps.push(`${Math.round(performance.now() - began)} ms ${step}`)
    if (steps.length > STEPS_MAX) steps.shift()
  }
  const named = (request: Request) =>
    `${request.method()} ${new URL(request.url()).pathname}${request.headers().rsc === '1' ? ' (rsc)' : ''}`
  page.on('request', (request) => record(`${named(request)} begins`))
  page.on('response', (response) => record(`${named(response.request())} ${response.status()}`))
  page.on('requestfailed', (request) => record(`${named(request)} ${request.failure()?.errorText}`))
  page.on('framenavigated', (frame) => record(`at ${new URL(frame.url()).pathname}`))
  page.on('console', (message) => {
    if (message.type() === 'debug') record(message.text())
  })
  await page.addInitScript(() => {
    for (const type of ['mousedown', 'click']) {
      addEventListener(
        type,
        ({ target }) => {
          const link = target instanceof Element ? target.closest('a, button') : null
          // biome-ignore lint/suspicious/noConsole: the page has no other way to the test without an exposed function.
          console.debug(type, link?.tagName, link?.getAttribute('href')?.split('?')[0])
        },
        true,
      )
    }
  })
  return steps
}

declare global {
  interface Window {
    /** Resolves once no timer is left that was set for half a second or less. */
    whenTimersEnd?: () => Promise<void>
  }
}

/** Runs in the page, before its scripts. */
function watchTimers(): void {
  const SOON_MS = 500
  const soon = new Set<number>()
  const waiting: (() => void)[] = []
  const end = (id: number): void => {
    if (!soon.delete(id) || soon.size > 0) return
    for (const done of waiting.splice(0)) done()
  }
  const [start, stop] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)]
  const startWatched = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): number => {
    const id = start(() => {
      try {
        run(...args)
      } finally {
        end(id)
      }
    }, ms)
    if (ms <= SOON_MS) soon.add(id)
    return id
  }
  window.setTimeout = startWatched as typeof window.setTimeout
  window.clearTimeout = (id) => {
    stop(id)
    end(Number(id))
  }
  window.whenTimersEnd = () => new Promise((done) => (soon.size === 0 ? done() : waiting.push(done)))
}

/** Runs in the page, before its scripts. */
function watchPage(): void {
  addEventListener('securitypolicyviolation', (event) => {
    reportError(new Error(`securitypolicyviolation: ${event.effectiveDirective} refused ${event.blockedURI}`))
  })
  let hasEnded = false
  const setEnded = (ended: boolean) => () => {
    hasEnded = ended
    ;(window as unknown as { setSessionEnded(hasEnded: boolean): void }).setSessionEnded(ended)
  }
  addEventListener('console-session-ended', setEnded(true))
  addEventListener('console-signed-in', setEnded(false))
  const send = window.fetch
  window.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (hasEnded && !url.endsWith('/api/session/state')) reportError(new Error(`${url} asked after the session ended`))
    return send(input, init)
  }
}

const isSignedOutPage = (url: string): boolean => /^\/(sign-in|signed-out)/.test(new URL(url).pathname)

type AxeOptions = Parameters<AxeBuilder['options']>[0]
type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>

const AXE_SOURCE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

/** The violations that axe finds. `AxeBuilder` loads axe twice for each run: here a document loads it once. */
export async function findViolations(page: Page, options: AxeOptions): Promise<AxeResults['violations']> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE_SOURCE)
  // No page has frames: without their search, a run takes a quarter of the time.
  const axe = new AxeBuilder({ page, axeSource: 'undefined' }).setLegacyMode(true)
  await page.evaluate(setMotion, false)
  const { violations } = await axe.options({ ...options, resultTypes: ['violations'] }).analyze()
  await page.evaluate(setMotion, true)
  return violations
}

/** Runs in the page: what fades in has another contrast meanwhile. */
function setMotion(moves: boolean): void {
  const still = new CSSStyleSheet()
  still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }')
  document.adoptedStyleSheets = moves ? [] : [still]
}

/** No finding of axe that is serious or worse; of some of its rules, where these are given. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  const violations = await findViolations(page, rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } })
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`)).toEqual([])
}

export { expect }
