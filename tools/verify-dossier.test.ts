import { execFile } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseOldText } from '#lib/commands/erase-text.ts'
import { type Dossier, exportEvidence } from '#lib/commands/evidence.ts'
import { config } from '#lib/config/config.ts'
import { readCheckpoint, signCheckpoint, verifierKey } from '#lib/journal/checkpoint.ts'
import { logHead } from '#lib/journal/sequencer.ts'
import { receiveCosigned } from '#lib/journal/witness.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { awaiting, decide, draftDeposit } from '#lib/testing/approval-world.ts'
import { executeForTest } from '#lib/testing/gated-deposit.ts'
import { optionsFor, passkeyOf, sendWith } from '#lib/testing/passkey-world.ts'
import { runs } from '#lib/testing/runs.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { freshWorld } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { Refused, sentences, verifyDossier } from './verify-dossier.mjs'
import { cosignature, openCheckpoint, publicKeyOf, readPublicKey, settingsOf } from './witness.mjs'

const FLIPS = runs(10_000, 1_000)
const idOf = (end: string) => `00000000-0000-4000-8000-${end.padStart(12, '0')}`
const POLICY = { kind: 'deposit.confirm', when: { amountAtLeast: '9000.00' }, approval: { by: 1 }, passkey: true }

let good: Dossier
let other: Dossier
let erased: Dossier
let [logKey, witnessKey] = ['', '']
let admin: Session

const textOf = (dossier: unknown): string => `${JSON.stringify(dossier)}\n`
const verified = (dossier: unknown) => verifyDossier(textOf(dossier), logKey, witnessKey)
type Changed = { -readonly [Name in keyof Dossier]: Dossier[Name] }

const copy = (): Changed => structuredClone(good)

/** After its texts were erased, as if it had ended long ago. */
async function exportErased(id: string): Promise<Dossier> {
  Object.assign(config(), { textKeptDays: 30 })
  const db = await store()
  await db.updateTable('command').set({ settled_at: '2026-01-01T00:00:00.000Z' }).where('id', '=', id).execute()
  await eraseOldText()
  return await exportConfirmed(admin, id)
}

/** While a witness confirms. */
async function exportConfirmed(session: Session, id: string): Promise<Dossier> {
  const log = readPublicKey(logKey, 1)
  const own = witnessSettings()
  let waiting = true
  const confirming = (async () => {
    while (waiting) {
      const { checkpoint } = await logHead(await store())
      const opened = checkpoint === '' ? null : openCheckpoint(checkpoint, log)
      const seconds = Math.floor(Date.now() / 1000)
      if (opened !== null) await receiveCosigned(await store(), checkpoint + cosignature(opened, own, seconds))
      await new Promise((done) => setTimeout(done, 50))
    }
  })()
  const exported = await exportEvidence(session, id)
  waiting = false
  await confirming
  if (!exported?.ok) throw new Error(JSON.stringify(exported))
  expect(exported.confirmed).toBe(true)
  return exported.dossier
}

const witnessSettings = () =>
  settingsOf({
    WITNESS_CONSOLE: 'http://localhost',
    WITNESS_TOKEN: 'x',
    WITNESS_LOG_KEY: logKey,
    WITNESS_KEY: Buffer.alloc(32, 5).toString('base64'),
    WITNESS_NAME: 'witness.example.com',
  })

beforeAll(async () => {
  const {
    logOrigin,
    logKeys: [key],
  } = configureForTest()
  logKey = verifierKey(logOrigin, key)
  witnessKey = publicKeyOf('witness.example.com', witnessSettings().key)
  const service = await freshWorld()
  Object.assign(config(), {
    witness: { token: 'x', publicKey: { ...readPublicKey(witnessKey, 4), keyId: readPublicKey(witnessKey, 4).id } },
  })
  underPolicy(POLICY)
  const maker = await signedIn(service, 'operator@example.com', idOf('1'))
  admin = await signedIn(service, 'admin@example.com', idOf('3'))
  const passkey = await passkeyOf(maker)
  const { id } = await awaiting(service, maker, '9001')
  await decide(admin, id, true, 'Seen on the statement')
  await sendWith(maker, id, passkey.sign(await optionsFor(maker, id)))
  good = await exportConfirmed(admin, id)
  const small = await draftDeposit(service, maker, '100')
  await executeForTest(maker, small.id)
  other = await exportConfirmed(maker, small.id)
  erased = await exportErased(id)
})

test('says who did, approved and signed what', () => {
  const text = [...sentences(verified(good))].join('\n')
  for (const part of [
    /^PROVED by the log “localhost:3000”/,
    /The witness “witness\.example\.com” had these entries at 20/,
    /Change [0-9a-f-]{36}, deposit\.confirm, by operator@example\.com/,
    /draft\n {6}Reference: DEP~/,
    /approved by admin@example\.com: Seen on the statement/,
    /signed with the passkey “Work laptop”/,
    /Its text, parameters and facts are those that approvals and passkeys name/,
    /admin@example\.com .* exported this at 20/,
    /NOT PROVED:\n- That what the service answered is true/,
  ])
    expect(text).toMatch(part)
})

describe('after its texts were erased', () => {
  test('it still proves who did what, and says what is gone', () => {
    expect(textOf(erased)).not.toContain('Seen on the statement')
    const text = [...sentences(verified(erased))].join('\n')
    for (const part of [
      /approved by admin@example\.com(;.*)?\n {6}Erased since: why/,
      /signed with the passkey “Work laptop”/,
      /text erased\n {4}Text was erased, so what approvals and passkeys name cannot be computed again/,
    ])
      expect(text).toMatch(part)
  })

  test.each<readonly [string, string, (dossier: Changed) => void]>([
    [
      'a field that no erasure names',
      '“decision” of entry .* was left out',
      ({ entries }) => delete fieldsWith(entries, 'decision').decision,
    ],
    ['a field of another entry', 'was left out', ({ entries }) => delete fieldsWith(entries, 'judged')['facts.debit']],
    ['the entry of the erasure', 'not have all entries', ({ entries }) => (entries as unknown[]).splice(-2, 1)],
    [
      'the name in the entry of the erasure',
      'was altered',
      ({ entries }) =>
        Object.assign(fieldsWith(entries, 'erased'), { erased: [Buffer.alloc(16).toString('base64'), {}] }),
    ],
  ])('it is refused without %s', (_what, why, change) => {
    const dossier = structuredClone(erased)
    change(dossier as Changed)
    expect(() => verifyDossier(textOf(dossier), logKey)).toThrow(new RegExp(why))
  })
})

type Fields = Record<string, readonly [string, unknown]>

const fieldsWith = (entries: Dossier['entries'], name: string): Fields =>
  (entries.find(({ fields }) => fields[name] !== undefined)?.fields ?? {}) as Fields

test('is refused without the confirmation that is asked for', () => {
  const dossier = copy()
  dossier.checkpoint = dossier.checkpoint.split('\n').slice(0, 5).concat('').join('\n')
  expect([...sentences(verifyDossier(textOf(dossier), logKey))].join('\n')).toContain('Without the key of a witness')
  expect(() => verified(dossier)).toThrow('not confirmed by the witness')
})

type Forgery = (dossier: Changed) => unknown

const entryOf = (dossier: Dossier, at: number) =>
  dossier.entries[at] as Record<string, unknown> & Dossier['entries'][number]

const changed =
  (part: 'leaf' | 'fields', change: object): Forgery =>
  (dossier) => {
    Object.assign(entryOf(dossier, 0)[part] as object, change)
    return dossier
  }

const forgeries: Readonly<Record<string, readonly [string, Forgery]>> = {
  'an entry left out': [
    'not have all entries',
    ({ entries, ...rest }) => ({ ...rest, entries: entries.toSpliced(1, 1) }),
  ],
  'the last entry left out': [
    'end with the entry of its export',
    ({ entries, ...rest }) => ({ ...rest, entries: entries.slice(0, -1) }),
  ],
  'entries in another order': [
    'order of the log',
    ({ entries, ...rest }) => ({ ...rest, entries: entries.with(0, entries[1]!).with(1, entries[0]!) }),
  ],
  'an entry twice': ['order of the log', ({ entries, ...rest }) => ({ ...rest, entries: [entries[0], ...entries] })],
  'an entry of another change': [
    'not have all entries',
    ({ entries, ...rest }) => ({ ...rest, checkpoint: other.checkpoint, entries: other.entries.toSpliced(0, 1) }),
  ],
  'the proof of another entry': [
    'not in the log',
    (dossier) => {
      Object.assign(entryOf(dossier, 0), { proof: entryOf(dossier, 1).proof })
      return dossier
    },
  ],
  'a proof too short': [
    'not in the log|too short',
    (dossier) => {
      Object.assign(entryOf(dossier, 0), { proof: entryOf(dossier, 0).proof.slice(1) })
      return dossier
    },
  ],
  'a proof too long': [
    'too long|not in the log',
    (dossier) => {
      Object.assign(entryOf(dossier, 0), { proof: [...entryOf(dossier, 0).proof, entryOf(dossier, 0).proof[0]] })
      return dossier
    },
  ],
  'another value': [
    'was altered',
    (dossier) => {
      Object.assign(entryOf(dossier, 0).fields, { actorName: [entryOf(dossier, 0).fields.actorName?.[0], 'Somebody'] })
      return dossier
    },
  ],
  'a field left out': [
    'was left out',
    (dossier) => {
      delete (entryOf(dossier, 0).fields as Record<string, unknown>)['facts.debit']
      return dossier
    },
  ],
  'a field too many': ['was altered', changed('fields', { more: ['AAAAAAAAAAAAAAAAAAAAAA==', 1] })],
  'a leaf with another time': ['not in the log', changed('leaf', { at: '2020-01-01T00:00:00.000Z' })],
  'a leaf with another field': ['does not have exactly', changed('leaf', { more: 1 })],
  'an index beyond the checkpoint': [
    'younger than the checkpoint',
    (dossier) => {
      Object.assign(dossier.entries.at(-1)!, { index: 1_000_000 })
      return dossier
    },
  ],
  'a checkpoint before an entry': [
    'younger than the checkpoint|too long',
    (dossier) => ({ ...dossier, checkpoint: checkpointOf({ size: 3 }) }),
  ],
  'a checkpoint of another log': [
    'of the log “other”',
    (dossier) => ({ ...dossier, checkpoint: checkpointOf({ origin: 'other' }) }),
  ],
  'a checkpoint of another key': [
    'not signed with the key',
    (dossier) => ({ ...dossier, checkpoint: checkpointOf({}, [witnessSettings().key]) }),
  ],
  'an answer that nobody read': [
    'answer of the service was altered',
    (dossier) => ({ ...dossier, answers: [{ request: 'GET /', at: '', body: '' }] }),
  ],
  'another version': ['another version', (dossier) => ({ ...dossier, dossier: 2 })],
  'a field beside': ['does not have exactly', (dossier) => ({ ...dossier, more: 1 })],
  'no entries': ['cannot be read', ({ entries: _, ...rest }) => ({ ...rest, entries: null })],
  'no answers': ['cannot be read', ({ answers: _, ...rest }) => ({ ...rest, answers: null })],
  'an answer without text': ['answer of the service was altered', (dossier) => ({ ...dossier, answers: [{}] })],
  'an answer that is none': ['is not an object', (dossier) => ({ ...dossier, answers: [null] })],
  'a field that is no pair': ['was altered', changed('fields', { actorName: null })],
}

/** Signed by the log, or with another key. */
function checkpointOf(change: object, keys: readonly KeyObject[] = config().logKeys): string {
  return signCheckpoint({ ...readCheckpoint(good.checkpoint)!, ...change }, keys)
}

describe('refuses', () => {
  test.each(Object.entries(forgeries))('%s', (_name, [why, forge]) => {
    const verify = () => verifyDossier(textOf(forge(copy())), logKey)
    expect(verify).toThrow(Refused)
    expect(verify).toThrow(new RegExp(why))
  })

  test('another log’s key, a witness’s key in its place, and no key', () => {
    const key = verifierKey('localhost:3000', witnessSettings().key)
    expect(() => verifyDossier(textOf(good), key)).toThrow('not signed with the key of the log')
    for (const wrong of [witnessKey, '', 'a+00000000+AAAA'])
      expect(() => verifyDossier(textOf(good), wrong)).toThrow('not a key')
  })

  test('a field twice, spaces, another end, depth', () => {
    const text = textOf(good)
    for (const changed of [
      text.replace('{"dossier":1,', '{"dossier":1,"dossier":1,'),
      text.replace('"index":', '"index":0,"index":'),
      text.replace('{"dossier"', '{ "dossier"'),
      text.trimEnd(),
      `${text}\n`,
      text.slice(0, 2_000),
      '',
      'null\n',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}\n`,
    ])
      expect(() => verifyDossier(changed, logKey, witnessKey), changed.slice(0, 40)).toThrow(Refused)
  })

  test(`${FLIPS} flipped bits`, () => {
    const bytes = Buffer.from(textOf(good))
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
        const flipped = Buffer.from(bytes)
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit)
        expect(() => verifyDossier(flipped.toString('utf8'), logKey, witnessKey)).toThrow(Refused)
      }),
      { numRuns: FLIPS },
    )
  })
})

describe('the program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dossier-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  const program = join(import.meta.dirname, 'verify-dossier.mjs')
  const run = (text: string, ...keys: readonly string[]) => runAs([program], text, ...keys)

  async function runAs(command: readonly string[], text: string, ...keys: readonly string[]) {
    const file = join(folder, 'evidence.json')
    writeFileSync(file, text)
    return await promisify(execFile)(process.execPath, [...command, file, ...keys]).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error) => ({ code: error.code as number, stdout: error.stdout as string }),
    )
  }

  test('prints what is proved, or why it is refused', async () => {
    expect(await run(textOf(good), logKey, witnessKey)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('PROVED by'),
    })
    const { code, stdout } = await run(textOf(good).replace('DEP~', 'DEP-'), logKey)
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^REFUSED: .*altered\.\n$/)])
    expect((await run(textOf(good))).code).toBe(1)
    expect((await run('x'.repeat(20_000_001), logKey)).stdout).toBe('REFUSED: the file is too large.\n')
  })

  test('refuses an altered file through a linked folder', async () => {
    symlinkSync(import.meta.dirname, join(folder, 'linked'))
    const linked = join(folder, 'linked/verify-dossier.mjs')
    for (const command of [[linked], ['--preserve-symlinks-main', linked]]) {
      const { code, stdout } = await runAs(command, textOf(good).replace('DEP~', 'DEP-'), logKey)
      expect([code, stdout]).toEqual([1, expect.stringMatching(/^REFUSED: .*altered\.\n$/)])
    }
  })

  test('proves a file without the functions that Node 18 lacks', async () => {
    const lacking = ['Map.groupBy', 'Object.groupBy', 'String.prototype.isWellFormed', 'String.prototype.toWellFormed']
    const node18 = `data:text/javascript,${lacking.map((name) => `delete ${name};`).join('')}`
    const { code, stdout } = await runAs(['--import', node18, program], textOf(good), logKey, witnessKey)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^PROVED by/)])
  })

  test('words its own fault and a missing file otherwise', async () => {
    const broken = ['--import', 'data:text/javascript,delete Object.hasOwn;', program]
    expect(await runAs(broken, textOf(good), logKey)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^NOT CHECKED: Object\.hasOwn/),
    })
    const missing = await runAs([program, join(folder, 'missing')], '')
    expect(missing).toMatchObject({ code: 1, stdout: expect.stringMatching(/^NOT CHECKED: ENOENT/) })
  })

  test('prints nothing that could replace a refusal on a terminal', async () => {
    const checkpoint = good.checkpoint.replace('localhost:3000', '\r\u001B[2KPROVED')
    const { code, stdout } = await run(textOf({ ...good, checkpoint }), logKey)
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^REFUSED: [^\p{C}]*\n$/u)])
  })
})

describe('the published vectors', () => {
  const read = (name: string) => readFileSync(join(import.meta.dirname, '../docs/dossier', name), 'utf8')
  const vectors: {
    readonly logKey: string
    readonly witnessKey: string
    readonly bad: readonly Record<'why' | 'file' | 'from' | 'to', string>[]
  } = JSON.parse(read('vectors.json'))

  test.each(['good.json', 'erased.json'])('pass as they are: %s', (file) => {
    expect(verifyDossier(read(file), vectors.logKey, vectors.witnessKey).changes).toHaveLength(1)
  })

  test.each(vectors.bad)('are refused when $why', ({ file, from, to }) => {
    const whole = read(file)
    const changed = whole.replace(from, () => to)
    expect(changed).not.toBe(whole)
    expect(() => verifyDossier(changed, vectors.logKey, vectors.witnessKey)).toThrow()
  })
})
