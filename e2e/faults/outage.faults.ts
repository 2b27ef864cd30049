import { setTimeout as wait } from 'node:timers/promises'
import { requireNone } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { countSecrets } from './certainty.ts'
import { startFaultyLine } from './faulty-line.ts'
import { Person } from './person.ts'
import { startFaultWorld } from './world.ts'

const AWAY_MS = 600_000
const LOOK_EVERY_MS = 5_000
const PAGES_AT_ONCE = 5
/** So they end many times over while nobody can renew them. */
const TOKEN_SECONDS = 90
/** On the page of a transaction, and nowhere else. */
const NOTE = 'Read through the outage'
const WHY = /Single sign-on cannot be reached|The service cannot be reached/

test.describe.configure({ timeout: 900_000 })

/** What one person sees while something is away. */
class Watcher {
  readonly person: Person
  readonly #path: string
  readonly seen = { signedOut: 0, noPage: 0, unsaid: 0, ownNotShown: 0, told: 0 }

  constructor(person: Person, reference: string) {
    this.person = person
    this.#path = `/transactions/${encodeURIComponent(reference)}`
  }

  /** Pages that need the service, and one that is the console's own. */
  async look(): Promise<void> {
    const [own, ...pages] = await Promise.all([
      this.person.open('/security'),
      ...Array.from({ length: PAGES_AT_ONCE }, () => this.person.open(this.#path)),
    ])
    for (const { status, text } of [own, ...pages]) {
      if ((status >= 300 && status < 400) || status === 401) this.seen.signedOut += 1
      else if (status !== 200) this.seen.noPage += 1
      if (text.includes('Single sign-on cannot be reached')) this.seen.told += 1
    }
    this.seen.ownNotShown += own.text.includes('Your sessions') ? 0 : 1
    this.seen.unsaid += pages.filter(({ text }) => !text.includes(NOTE) && !WHY.test(text)).length
  }

  page = (): Promise<string> => this.person.page(this.#path)
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, one) => all + one, 0)

test('service and identity provider are each away for ten minutes', async ({ playwright, programs, sandbox }) => {
  const { request } = playwright
  const sandboxEnvironment = { SANDBOX_ACCESS_TOKEN_SECONDS: String(TOKEN_SECONDS) }
  const world = await startFaultWorld(programs, sandbox, { sso: { request, sandboxEnvironment } })
  const reference = await sandbox.announceDeposit('ana@example.com', '10', NOTE)
  // The provider of the first console is away; of the second, the whole service, with which it renews.
  const service = await startFaultyLine(programs.proxy.url, async () => {})
  const second = await programs.startAnotherConsole((own) => ({
    NEXTAUTH_URL: own,
    CORE_API_URL: service.url,
    OIDC_ISSUER: `${world.line.url}/idp`,
  }))
  const colleague = await Person.signInWithSso(request, world.consoleUrl, 'admin@example.com')
  const withPassword = await Person.signIn(second.url, 'admin@example.com')
  const [bySso, byPassword] = [
    [world.person, colleague].map((person) => new Watcher(person, reference)),
    [new Watcher(withPassword, reference)],
  ]
  const all = [...bySso, ...byPassword]
  for (const { page } of all) expect(await page()).toContain(NOTE)
  const changes = await world.prepare(1)

  const until = Date.now() + AWAY_MS
  world.line.harmEach((_method, path) => (path.startsWith('/idp') ? { to: 'request', afterBytes: 0 } : null))
  await service.cut()
  await lookUntil(all, until - AWAY_MS / 2)
  // In the second half it takes what is sent, and is silent.
  world.line.harmEach((_method, path) =>
    path.startsWith('/idp') ? { to: 'request', afterBytes: 0, how: 'hold' } : null,
  )
  const [during] = changes
  if (during !== undefined) await world.confirm(during)
  await lookUntil(all, until)

  const before = sum(world.line.refreshed.values()) + sum(service.refreshed.values())
  world.line.harmEach(() => null)
  await service.mend()
  for (const { page } of all) await expect.poll(page, { timeout: 40_000 }).toContain(NOTE)
  const back = await Promise.all(all.flatMap(({ page }) => Array.from({ length: 20 }, page)))
  const refreshes = sum(world.line.refreshed.values()) + sum(service.refreshed.values()) - before
  const again = [...service.refreshed.values()].filter((times) => times > 1)
  const total = (watchers: readonly Watcher[], what: keyof Watcher['seen']): number =>
    sum(watchers.map(({ seen }) => seen[what]))
  const scenario = 'service and identity provider are away for ten minutes'
  const { postgres, proxy } = programs
  if (postgres === null) throw new Error('these tests are about a store on PostgreSQL')
  const secrets = await countSecrets({
    log: second.program.printed,
    person: withPassword,
    postgres,
    tokens: proxy.tokens,
  })
  requireNone(scenario, all.length, {
    'pages that led to sign-in while they were away': total(all, 'signedOut'),
    'pages that were no page': total(all, 'noPage'),
    'pages of the service that neither came nor said why': total(all, 'unsaid'),
    'pages of the console’s own that did not come': total(all, 'ownNotShown'),
    'people who were never told that single sign-on is away': bySso.filter(({ seen }) => seen.told === 0).length,
    'pages that did not come once they were back': back.filter((text) => !text.includes(NOTE)).length,
    'refreshes more or fewer than one a session once they were back': Math.abs(refreshes - all.length),
    'refresh tokens of the other console that were used twice': again.length,
    'secrets in the log and the store of the other console, or in what its browser received': sum(
      Object.values(secrets),
    ),
  })
  await world.judge(scenario, changes)
  await second.program.stop()
  await service.stop()
  await world.stop()
})

async function lookUntil(watchers: readonly Watcher[], until: number): Promise<void> {
  while (Date.now() < until) {
    await Promise.all([...watchers.map((watcher) => watcher.look()), wait(LOOK_EVERY_MS)])
  }
}
