import { expect, test } from '../support/fixtures.ts'
import { wrongCode } from '../support/phone.ts'
import { ADMIN, ARBITRATOR_ID, OPERATOR_ID, PASSWORD } from '../support/sandbox-controls.ts'
import { type Answer, type SignedIn, signInAs } from './http.ts'
import { letIn, withPassword } from './sign-in-form.ts'

const OPERATOR = 'operator@example.com'
const VERIFY = '/api/v1/Security/totp/verify'

test('delays password guesses per account, and delays nobody else', {
  tag: '@long',
}, async ({ programs, sandbox }) => {
  const { consoleUrl } = programs
  const before = await sandbox.arrived('POST', '/api/v1/Users/login')
  for (let guess = 1; guess <= 12; guess += 1) {
    expect(letIn(await withPassword(consoleUrl, 'admin@example.com', `Wrong-Pass-${guess}`))).toBe(false)
  }
  const atOnce = await Promise.all(
    Array.from({ length: 12 }, (_, at) => withPassword(consoleUrl, ' ADMIN@example.com ', `Wrong-${at}`)),
  )
  expect(atOnce.filter(letIn)).toEqual([])
  expect((await sandbox.arrived('POST', '/api/v1/Users/login')) - before).toBeLessThanOrEqual(4)
  const right = await withPassword(consoleUrl, 'admin@example.com', PASSWORD)
  expect([letIn(right), /Try again in|Wait/i.test(right.text)]).toEqual([false, true])
  expect([right.status, right.headers['retry-after']]).toEqual([429, expect.stringMatching(/^[1-9]\d*$/)])
  expect(letIn(await withPassword(consoleUrl, OPERATOR, PASSWORD))).toBe(true)
})

test('delays guesses per forwarded address behind a proxy', {
  tag: '@long',
}, async ({ programs, sandbox }) => {
  const { url, program } = await programs.startAnotherConsole((own) => ({ NEXTAUTH_URL: own, BEHIND_PROXY: 'on' }))
  const from = (address: string, guess: number) => ({ 'x-forwarded-for': `10.0.0.${guess % 250}, ${address}` })
  const before = await sandbox.arrived('POST', '/api/v1/Users/login')
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(
      Array.from({ length: 6 }, (_, at) => {
        const guess = round * 6 + at
        return withPassword(url, `nobody-${guess}@example.com`, 'Wrong-Pass-1', from('192.0.2.1', guess))
      }),
    )
  }
  const attempts = (await sandbox.arrived('POST', '/api/v1/Users/login')) - before
  expect(attempts).toBeGreaterThanOrEqual(20)
  expect(attempts).toBeLessThanOrEqual(28)
  expect(letIn(await withPassword(url, OPERATOR, PASSWORD, from('192.0.2.1', 1)))).toBe(false)
  expect(letIn(await withPassword(url, OPERATOR, PASSWORD, from('192.0.2.2', 1)))).toBe(true)
  await program.stop()
})

test('keeps no known account out while twelve try random accounts', { tag: '@long' }, async ({
  programs,
  sandbox: _seeded,
}) => {
  const { consoleUrl } = programs
  expect(letIn(await withPassword(consoleUrl, OPERATOR, PASSWORD))).toBe(true)
  let [running, tried, seen] = [true, 0, 0]
  const attack = async (attacker: number): Promise<void> => {
    while (running) {
      tried += 1
      const answer = await withPassword(consoleUrl, `${attacker}-${tried}@random.example`, 'Wrong-Pass-1')
      if (answer.status === 200 || answer.status === 429) seen += 1
    }
  }
  const attackers = Array.from({ length: 12 }, (_, at) => attack(at))
  await expect.poll(() => seen, { timeout: 60_000 }).toBeGreaterThan(24)
  for (let n = 0; n < 5; n += 1) expect(letIn(await withPassword(consoleUrl, OPERATOR, PASSWORD))).toBe(true)
  running = false
  await Promise.all(attackers)
  expect(programs.console.printed).not.toContain('random.example')
})

/** Takes two-factor security away, with a code: a change that takes one at once. */
async function removeWith(person: SignedIn, code: string): Promise<Answer> {
  const drafted = await person.send('POST', '/api/commands', { kind: 'totp.remove', params: {} })
  const { draft } = JSON.parse(drafted.text) as { readonly draft: { readonly id: string } }
  return await person.send('POST', `/api/commands/${draft.id}`, { code })
}

test('locks only the guesser of five codes, in every session', async ({ playwright, programs, sandbox }) => {
  const { consoleUrl } = programs
  const admin = await signInAs(playwright.request, consoleUrl, 'admin@example.com')
  const again = await signInAs(playwright.request, consoleUrl, 'admin@example.com')
  const shown = await sandbox.shownCode('admin@example.com')
  const next = await sandbox.code(ADMIN)
  const guesses = Array.from({ length: 8 }, (_, at) => `00000${at}`)
  for (const [at, guess] of guesses.filter((one) => ![shown, next].includes(one)).entries()) {
    // From two sessions in turn: it is the person who is counted.
    const answer = await removeWith(at % 2 === 0 ? admin : again, guess)
    expect(answer.text).not.toContain('"class":"done"')
  }
  expect((await removeWith(admin, shown)).text).not.toContain('"class":"done"')
  const other = await signInAs(playwright.request, consoleUrl, 'arbitrator@example.com')
  const code = await sandbox.shownCode('arbitrator@example.com')
  expect((await removeWith(other, code)).text).toContain('"class":"done"')
})

const CHANGES_MAX = 60

/** How often each status was answered. */
async function statuses(times: number, ask: () => Promise<Answer>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(Array.from({ length: times }, ask))) {
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

test('takes sixty of two hundred parallel changes', { tag: '@long' }, async ({
  playwright,
  programs,
  sandbox: _seeded,
}) => {
  const operator = await signInAs(playwright.request, programs.consoleUrl, OPERATOR)
  // A change that nothing is read at the service for.
  await programs.postgres?.query(
    `INSERT INTO passkey (id, actor, slot, name, public_key, counter, transports, aaguid, synced, backed_up, created_at)
    VALUES ('kept', $1, 1, 'Laptop', '', 0, '[]', '', false, false, '2026-01-01T00:00:00.000Z')`,
    [`sso:${OPERATOR_ID}`],
  )
  const params = { id: 'kept', way: 'passkey' }
  const draft = () => operator.send('POST', '/api/commands', { kind: 'passkey.remove', params })
  expect(await statuses(200, draft)).toEqual({ 200: CHANGES_MAX, 429: 200 - CHANGES_MAX })
  expect((await draft()).headers['retry-after']).toBe('60')
})

test('passes sixty of two hundred parallel codes on', { tag: '@long' }, async ({ playwright, programs, sandbox }) => {
  // Codes of the tests before count as well.
  await programs.startOver()
  const arbitrator = await signInAs(playwright.request, programs.consoleUrl, 'arbitrator@example.com')
  const code = wrongCode(await sandbox.shownCode('arbitrator@example.com'), await sandbox.code(ARBITRATOR_ID))
  const before = await sandbox.arrived('POST', VERIFY)
  const guessed = await statuses(200, () => arbitrator.send('POST', '/api/passkeys/challenge', { code }))
  expect((await sandbox.arrived('POST', VERIFY)) - before).toBe(CHANGES_MAX)
  expect(guessed[429]).toBe(200 - CHANGES_MAX)
})
