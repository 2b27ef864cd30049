import type { Page } from '@playwright/test'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/own-policy.ts'
import { ADMIN, ARBITRATOR_ID, type SandboxControls } from '../support/sandbox-controls.ts'
import { addPasskey, virtualPasskey } from '../support/virtual-passkey.ts'

/** Of amounts that no other test confirms. */
const POLICY = JSON.stringify({
  rules: [{ kind: 'deposit.confirm', when: { amountAtLeast: '14000.00' }, passkey: true }],
})

interface Options {
  readonly challenge: string
  readonly rpId: string
  readonly allowCredentials: readonly { readonly id: string }[]
  readonly userVerification: string
}

/** A request of the console's own page, as a script in it could make it. */
async function call(page: Page, method: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  return await page.evaluate(
    async (call) => {
      const headers = { 'x-console': '1', 'content-type': 'application/json' }
      const answer = await fetch(call.path, { method: call.method, headers, body: JSON.stringify(call.body) })
      return (await answer.json()) as Record<string, unknown>
    },
    { method, path, body },
  )
}

async function draft(page: Page, sandbox: SandboxControls, amount: string) {
  const reference = await sandbox.announceDeposit('ana@example.com', amount)
  const params = { referenceId: reference, bankReference: `B-${reference}`, statementAmount: amount }
  const answer = await call(page, 'POST', '/api/commands', { kind: 'deposit.confirm', params })
  return { id: (answer.draft as { id: string }).id, reference }
}

/** What the console asks a passkey to sign for a change. */
const optionsFor = async (page: Page, id: string): Promise<Options> =>
  (await call(page, 'POST', `/api/commands/${id}/passkey`, {})).options as Options

/** Has the browser's passkey sign, by these options. */
const sign = (page: Page, options: Options): Promise<unknown> =>
  page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json as PublicKeyCredentialRequestOptionsJSON)
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
    return credential.toJSON() as unknown
  }, options as unknown)

async function send(page: Page, id: string, passkey: unknown): Promise<string> {
  const answer = await call(page, 'POST', `/api/commands/${id}`, { passkey })
  const { outcome } = answer.command as { outcome: { class: string; need?: string; rejected?: boolean } }
  return outcome.class === 'step-up' ? `${outcome.need}${outcome.rejected ? ' rejected' : ''}` : outcome.class
}

test('sends one verified change once per passkey signature', {
  tag: '@long',
}, async ({ under, sandbox, expectedErrors }) => {
  expectedErrors.push(/status of 404 .*passkey/)
  const { pageOf } = await under(POLICY)
  const [page, stranger] = [await pageOf('admin@example.com'), await pageOf('arbitrator@example.com')]
  const passkey = await virtualPasskey(page)
  await addPasskey(page, 'Laptop', await sandbox.code(ADMIN))
  await virtualPasskey(stranger)
  await addPasskey(stranger, 'Another', await sandbox.code(ARBITRATOR_ID))

  const one = await draft(page, sandbox, '14001')
  const signed = await sign(page, await optionsFor(page, one.id))
  expect(await send(page, one.id, signed)).toBe('done')

  const change = await draft(page, sandbox, '14002')
  const refused = async (what: string, given: unknown) => {
    expect(await send(page, change.id, given), what).toBe('passkey rejected')
    await expect(sandbox.stateOf(change.reference)).resolves.toBe('QUEUED')
  }
  await refused('replayed', signed)
  const other = await draft(page, sandbox, '14003')
  await refused('for another change', await sign(page, await optionsFor(page, other.id)))
  await passkey.verifies(false)
  const lax = { ...(await optionsFor(page, change.id)), userVerification: 'discouraged' }
  await refused('without user verification', await sign(page, lax))
  await passkey.verifies(true)
  const theirs = { ...(await optionsFor(page, change.id)), allowCredentials: [] }
  await refused('by somebody else', await sign(stranger, theirs))
  expect(await call(stranger, 'POST', `/api/commands/${change.id}/passkey`, {})).toMatchObject({
    problem: { status: 404 },
  })
  await refused('made up', { ...(signed as object), id: 'AAAA', rawId: 'AAAA' })

  const last = await sign(page, await optionsFor(page, change.id))
  await sandbox.confirmElsewhere(change.reference)
  expect(await send(page, change.id, last)).toBe('changed')
})

test('without a fresh code no passkey is added', { tag: '@long' }, async ({ under, sandbox, expectedErrors }) => {
  expectedErrors.push(/status of 40[09] .*api\/passkeys/)
  const page = await (await under(POLICY)).pageOf('admin@example.com')
  await virtualPasskey(page)
  await page.goto('/security')
  const made = {
    name: 'Mine',
    passkey: { id: 'AAAA', response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } },
  }
  expect(await call(page, 'POST', '/api/passkeys', made)).toMatchObject({ ok: false, problem: { status: 409 } })
  for (const body of [{}, { code: '' }, { code: 7 }, { code: 'x'.repeat(41) }]) {
    expect(await call(page, 'POST', '/api/passkeys/challenge', body)).toMatchObject({ problem: { status: 400 } })
  }
  const rejected = await call(page, 'POST', '/api/passkeys/challenge', { code: '000000' })
  expect(rejected).toMatchObject({ ok: false, wanted: { rejected: true } })
  expect(rejected.options).toBeUndefined()
  await addPasskey(page, 'One', await sandbox.code(ADMIN))
  // A verification lives now; a code is asked for all the same.
  expect(await call(page, 'POST', '/api/passkeys/challenge', {})).toMatchObject({ problem: { status: 400 } })
  expect(await call(page, 'POST', '/api/passkeys/challenge', { code: '000000' })).toMatchObject({ ok: false })
})
