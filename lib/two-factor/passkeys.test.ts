import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { shownEntry } from '#lib/activity/entry-words.ts'
import { askForApproval } from '#lib/commands/policy/approvals.ts'
import { findPasskeys } from '#lib/commands/policy/passkey-table.ts'
import { findLatestDoneBy } from '#lib/commands/queries.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { bodiesOf, decide, stateOf } from '#lib/testing/approval-world.ts'
import {
  CODE_INVALID,
  draftForTest,
  ENROLLED,
  granted,
  locked,
  NOT_ENROLLED,
  STATUS,
  VERIFY,
} from '#lib/testing/gated-deposit.ts'
import { optionsFor, passkeyOf, sendWith } from '#lib/testing/passkey-world.ts'
import { ScriptedService } from '#lib/testing/scripted-service.ts'
import { signedIn } from '#lib/testing/signed-in.ts'
import { type Attested, SoftPasskey } from '#lib/testing/soft-passkey.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { freshWorld } from '#lib/testing/test-service.ts'
import { signedIn as signedInAt } from '#lib/testing/test-session.ts'
import { addPasskey, beginPasskey, passkeysOf } from './enrol-passkey.ts'
import { passkeyNameFault } from './passkey.ts'

let service: ScriptedService
let person: Session
const folder = mkdtempSync(join(tmpdir(), 'attestation-'))

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  service.on(STATUS, ENROLLED)
  service.on(VERIFY, granted('grant-1'))
  person = await signedIn(0)
})
afterEach(() => void vi.useRealTimers())
afterAll(() => {
  rmSync(folder, { recursive: true })
  return service.stop()
})

const refusedWith = (words: string) => ({ ok: false, problem: { status: 409, title: expect.stringContaining(words) } })

async function begun(): Promise<{ readonly challenge: string }> {
  const begun = await beginPasskey(person, '123456')
  if (!begun.ok) throw new Error(JSON.stringify(begun))
  return begun.options
}

describe('a passkey is added', () => {
  test('right after a code, also where a verification lives, and it is in the journal', async () => {
    const passkey = new SoftPasskey()
    expect(await addPasskey(person, 'Work laptop', passkey.make(await begun()))).toEqual({ ok: true })
    await begun()
    expect(service.of(VERIFY)).toHaveLength(2)
    expect(await passkeysOf(person)).toMatchObject([{ id: passkey.id, name: 'Work laptop', lastUsedAt: null }])
    const command = await (await store()).selectFrom('command').selectAll().executeTakeFirstOrThrow()
    expect([command.kind, command.actor, command.state]).toEqual(['passkey.add', person.actor, 'done'])
    expect((await bodiesOf(command.id))[0]).toMatchObject({
      passkey: { id: passkey.id, publicKey: expect.any(String) },
    })
  })

  test('with entries of its code that name no session', async () => {
    await begun()
    const { id, about } = await (await store())
      .selectFrom('audit_entry')
      .selectAll()
      .where('kind', '=', 'step-up.verify')
      .executeTakeFirstOrThrow()
    expect(about).toBe('')
    expect((await shownEntry(person, id))?.place?.href).toBe('/security')
  })

  test('not by a rejected code, without an authenticator, or when there are five', async () => {
    service.on(VERIFY, CODE_INVALID)
    expect(await beginPasskey(person, '123456')).toMatchObject({ ok: false, wanted: { rejected: true, triesLeft: 2 } })
    service.on(STATUS, NOT_ENROLLED)
    expect(await beginPasskey(person, '123456')).toMatchObject(refusedWith('Set up two-factor security first'))
    service.on(STATUS, ENROLLED)
    service.on(VERIFY, granted('grant-2'))
    const open = [await begun(), await begun()]
    for (let at = 0; at < 4; at += 1) await passkeyOf(person)
    const both = await Promise.all(open.map((options) => addPasskey(person, 'Last', new SoftPasskey().make(options))))
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await findPasskeys(await store(), person.actor)).toHaveLength(5)
    expect(await beginPasskey(person, '123456')).toMatchObject(refusedWith('You already have 5 passkeys'))
  })

  test('not while codes are locked, and sends no code', async () => {
    service.on(STATUS, locked())
    const wanted = { need: 'code', lockedSeconds: expect.closeTo(300, -1) }
    expect(await beginPasskey(person, '123456')).toMatchObject({ ok: false, wanted })
    expect(service.of(VERIFY)).toEqual([])
  })

  test('not twice by one question, by somebody else’s, without user verification, or for another host', async () => {
    const options = await begun()
    const made = new SoftPasskey().make(options)
    expect(await addPasskey(person, 'One', made)).toEqual({ ok: true })
    expect(await addPasskey(person, 'Again', made)).toMatchObject(refusedWith('already added'))
    const other = Object.assign(Object.create(person) as Session, { actor: 'sso:somebody' })
    const theirs = new SoftPasskey().make(await begun())
    expect(await addPasskey(other, 'Theirs', theirs)).toMatchObject(refusedWith('already added'))
    const wrongs = [
      { unverified: true },
      { host: 'evil.example' },
      { origin: 'https://evil.example' },
      { crossOrigin: true },
    ] as const
    for (const wrong of wrongs) {
      const wrongly = new SoftPasskey().make(await begun(), wrong)
      expect(await addPasskey(person, 'Wrong', wrongly)).toMatchObject(refusedWith('not valid'))
    }
    expect(await findPasskeys(await store(), person.actor)).toHaveLength(1)
  })
})

test('adds no passkey after two minutes', async () => {
  const made = new SoftPasskey().make(await begun())
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 })
  expect(await addPasskey(person, 'Late', made)).toMatchObject(refusedWith('The two minutes are over'))
})

describe('a challenge with a NUL', () => {
  test('adds no passkey', async () => {
    const { challenge } = await begun()
    const made = new SoftPasskey().make({ challenge: `${challenge}\0` })
    expect(await addPasskey(person, 'Work laptop', made)).toMatchObject(refusedWith('Start again'))
  })

  test('confirms no change', async () => {
    const [lost, kept] = [await passkeyOf(person, 'Lost'), await passkeyOf(person, 'Kept')]
    const id = await draftForTest(person, 'passkey.remove', { id: lost.id, way: 'passkey' })
    const { challenge } = await optionsFor(person, id)
    const signed = kept.sign({ challenge: `${challenge}\0` })
    expect(await sendWith(person, id, signed)).toMatchObject({ outcome: { rejected: true } })
  })
})

const signed = ({ authData, clientDataHash, key }: Attested) =>
  sign('sha256', Buffer.concat([authData, clientDataHash]), key)

const certified =
  (fmt: 'android-key' | 'packed', listed: string) =>
  ({ clientDataHash, key, authData }: Attested) => {
    const certify = (name: string, its: KeyObject, ...more: readonly string[]): Buffer => {
      const [keyFile, out] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
      writeFileSync(keyFile, its.export({ type: 'pkcs8', format: 'pem' }))
      const args = [
        '-subj',
        `/C=DE/O=Maker/OU=Authenticator Attestation/CN=${name}`,
        '-key',
        keyFile,
        '-days',
        '1',
        '-out',
        out,
        ...more,
      ]
      execFileSync('openssl', ['req', '-x509', '-new', ...args], { stdio: 'pipe' })
      return new X509Certificate(readFileSync(out)).raw
    }
    const root = certify('root', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
    const description = `3034 020103 0a0101 020104 0a0101 0420${clientDataHash.toString('hex')} 0400 3000 3000`
    const extensions = [
      `1.3.6.1.4.1.11129.2.1.17=DER:${description.replaceAll(' ', '')}`,
      `crlDistributionPoints=URI:${listed}`,
      'basicConstraints=CA:FALSE',
    ]
    const issuer = ['-CA', join(folder, 'root.pem'), '-CAkey', join(folder, 'root.key')]
    const leaf = certify('leaf', key, ...issuer, ...extensions.flatMap((extension) => ['-addext', extension]))
    return { fmt, alg: -7, sig: signed({ authData, clientDataHash, key }), x5c: [leaf, root] } as const
  }

describe('of an attestation the console', () => {
  test.each(['android-key', 'packed'] as const)('requests no address that it names: %s', async (format) => {
    const attest = certified(format, `${service.url}/internal`)
    const made = new SoftPasskey().make(await begun(), {}, attest)
    const { length } = service.arrived
    expect(await addPasskey(person, 'Phone', made)).toMatchObject(refusedWith('not valid'))
    expect(service.arrived.slice(length)).toEqual([])
  })

  test('accepts one that the passkey itself signed', async () => {
    const packed = (about: Attested) => ({ fmt: 'packed', alg: -7, sig: signed(about) }) as const
    const made = new SoftPasskey().make(await begun(), {}, packed)
    expect(await addPasskey(person, 'Key', made)).toEqual({ ok: true })
  })
})

async function staff() {
  const world = await freshWorld({ STAFF_ADMIN_SCOPES: 'core:disputes:resolve' })
  const as = (name: string, end: string) =>
    signedInAt(world, `${name}@example.com`, `00000000-0000-4000-8000-${end.padStart(12, '0')}`)
  const [operator, viewer] = [await as('operator', '1'), await as('viewer', '4')]
  return { operator, viewer, admin: await as('admin', '3'), second: await as('arbitrator', '2') }
}

describe('a passkey is removed', () => {
  test('with another one, and not with itself', async () => {
    const [lost, kept] = [await passkeyOf(person, 'Lost'), await passkeyOf(person, 'Kept')]
    const id = await draftForTest(person, 'passkey.remove', { id: lost.id, way: 'passkey' })
    const options = await optionsFor(person, id)
    expect(options.allowCredentials?.map((it) => it.id)).toEqual([kept.id])
    expect(await sendWith(person, id, lost.sign(options))).toMatchObject({ outcome: { rejected: true } })
    const again = await optionsFor(person, id)
    expect((await sendWith(person, id, kept.sign(again))).outcome.class).toBe('done')
    expect((await passkeysOf(person)).map(({ name }) => name)).toEqual(['Kept'])
  })

  test('not the last one without who administers, and not somebody else’s', async () => {
    const only = await passkeyOf(person)
    const id = await draftForTest(person, 'passkey.remove', { id: only.id, way: 'passkey' })
    expect(await sendWith(person, id, null)).toMatchObject({ outcome: { need: 'passkey-enrolment' } })
    const draft = await draftForTest(person, 'passkey.remove', { id: only.id, way: 'administrator' })
    expect((await sendWith(person, draft, null)).outcome).toMatchObject({ class: 'refused', sent: false })
    await expect(draftForTest(person, 'passkey.remove', { id: 'another', way: 'administrator' })).rejects.toThrow(
      'Passkey not found',
    )
    expect(await passkeysOf(person)).toHaveLength(1)
  })

  test('only once two administrators have approved', async () => {
    const { operator, viewer, admin, second } = await staff()
    const only = await passkeyOf(operator)
    const id = await draftForTest(operator, 'passkey.remove', { id: only.id, way: 'administrator' })
    await askForApproval(operator, id, { reason: 'The laptop is lost', proof: null })
    expect(await decide(viewer, id)).toMatchObject({ ok: false, problem: { status: 404 } })
    expect(await decide(admin, id)).toMatchObject({ ok: true })
    expect((await sendWith(operator, id, null)).outcome).toMatchObject({ class: 'approval', needed: 2 })
    expect(await passkeysOf(operator)).toHaveLength(1)
    expect(await decide(second, id)).toMatchObject({ ok: true })
    expect((await sendWith(operator, id, null)).outcome.class).toBe('done')
    expect([await stateOf(id), await passkeysOf(operator)]).toEqual(['done', []])
  })

  test('as the latest change, though prepared before an addition', async () => {
    const { operator, admin, second } = await staff()
    const lost = await passkeyOf(operator, 'Lost')
    const id = await draftForTest(operator, 'passkey.remove', { id: lost.id, way: 'administrator' })
    await askForApproval(operator, id, { reason: 'The laptop is lost', proof: null })
    await passkeyOf(operator, 'New')
    const since = new Date().toISOString()
    for (const by of [admin, second]) await decide(by, id)
    await sendWith(operator, id, null)
    const kinds = ['passkey.add', 'passkey.remove'] as const
    expect(await findLatestDoneBy(await store(), { actor: operator.actor, kinds, since })).toMatchObject({ id })
  })
})

test('refuses a card number as the name of a passkey', () => {
  expect(passkeyNameFault('Laptop 9084003072183688')).toContain('Remove the card number')
  expect(passkeyNameFault('Laptop 2')).toBeNull()
})
