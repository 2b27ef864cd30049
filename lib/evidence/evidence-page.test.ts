import { createHash, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Dossier } from '#lib/commands/evidence.ts'
import { config } from '#lib/config/config.ts'
import { exportCaseEvidence } from '#lib/disputes/case-evidence.ts'
import { verifierKey } from '#lib/journal/checkpoint.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { caseTest } from '#lib/testing/test-worlds.ts'
import { visibleText } from '#lib/values/text.ts'
import { verifyDossier } from '../../tools/verify-dossier.mjs'
import { readPublicKey } from '../../tools/witness.mjs'
import { evidenceFiles, evidencePage } from './evidence-page.ts'

type Entry = Omit<Dossier['entries'][number], 'leaf'> & {
  readonly leaf: { readonly body: Readonly<Record<string, unknown>> }
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

const good: Omit<Dossier, 'entries'> & { readonly entries: readonly Entry[] } = readJson('docs/dossier/good.json')
const { witnessKey } = readJson('docs/dossier/vectors.json')

const AT = '2026-11-28T09:00:00.000Z'
const about = { name: 'evidence-1.json', sha256: 'ab12', witness: null } as const

const plain = (page: string): string =>
  page
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#34;', '"')
    .replace(/\s+/g, ' ')

const textOf = (dossier: Dossier): string => plain(evidencePage(dossier, about))

/** In each entry, without the fields that `isGone` names, and without their hashes unless they were erased. */
const without = (isGone: (name: string) => boolean, { erased }: { readonly erased: boolean }): Dossier => {
  const rest = <Value>(of: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(of).filter(([name]) => !isGone(name)))
  const entries = good.entries.map((entry) => ({
    ...entry,
    leaf: { ...entry.leaf, body: erased ? entry.leaf.body : rest(entry.leaf.body) },
    fields: rest(entry.fields),
  }))
  return { ...good, entries }
}

describe('a change', () => {
  test('shows the text, the people and the events in order', () => {
    const text = textOf(good)
    const parts = [
      'Evidence: Confirm deposit of 9,001.00 BZD',
      'Exported by admin@example.com',
      'localhost:3000 , 11 entries, of which this file has 7',
      'No witness has confirmed these entries.',
      'SHA-256 of the file ab12',
      'node tools/verify-dossier.mjs evidence-1.json LOG_PUBLIC_KEY [WITNESS_PUBLIC_KEY]',
      'Amount 9,001.00 BZD',
      'Announced 2026-11-28 09:55:37 UTC',
      'Consequence The balance is minted',
      'Prepared by operator@example.com 00000000-0000-4000-8000-000000000001',
      'Fingerprint aa84ab165b45fe6dd40473c06afb8eea61e897462ca9e7e95a0ac53f26f11029',
      'Also entered statementAmount 9001',
      '2026-11-28 09:55:37 UTC 5 Waiting for approval operator@example.com Reason: On the statement of today',
      '6 Approved admin@example.com 00000000-0000-4000-8000-000000000003 Why: Seen on the statement',
      'Confirmed with the passkey: Work laptop',
      '9 Done the console Source: service response',
      'It does not prove:',
    ]
    const places = parts.map((part) => text.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  })

  test('without its text shows kind and target', () => {
    const text = textOf(without((name) => name.startsWith('confirmText'), { erased: false }))
    expect(text).toContain('Confirm a deposit: DEP~acf43920-9f11.20261128')
    expect(text).toMatch(/What was entered referenceId DEP~.* statementAmount 9001 /)
    expect(text).not.toContain('erased')
  })

  test('shows “erased” and when in place of erased fields', () => {
    const erased: typeof good = readJson('docs/dossier/erased.json')
    const gone = ['params.statementAmount', 'params.note']
    const moreErased = ([salt, names]: readonly [string, unknown]) =>
      [salt, { ...(names as object), 4: [...(names as { 4: string[] })[4], ...gone] }] as const
    const entries = erased.entries.map(({ leaf, fields, ...entry }, at) => ({
      ...entry,
      leaf: at === 0 ? { ...leaf, body: { ...leaf.body, 'params.note': '' } } : leaf,
      fields: {
        ...Object.fromEntries(Object.entries(fields).filter(([name]) => !gone.includes(name))),
        ...(fields.erased === undefined ? {} : { erased: moreErased(fields.erased) }),
      },
    }))
    const text = textOf({ ...erased, entries })
    for (const part of [
      'Confirm a deposit: DEP~acf43920-9f11.20261128',
      'Text shown for confirmation erased, 2026-11-28 09:55:38 UTC',
      'statementAmount erased, 2026-11-28 09:55:38 UTC note erased, 2026-11-28 09:55:38 UTC',
      'Reason: erased, 2026-11-28 09:55:38 UTC',
      'Approved admin@example.com 00000000-0000-4000-8000-000000000003',
      'Why: erased, 2026-11-28 09:55:38 UTC',
      'Text erased the console Kept for, days: 30',
      'What was erased, and that',
    ])
      expect(text).toContain(part)
    expect(text).not.toMatch(/On the statement|Seen on/)
  })

  test('shows when each of two erasures was', () => {
    const erased: typeof good = readJson('docs/dossier/erased.json')
    const later = erased.entries.findIndex(({ fields }) => Object.hasOwn(fields, 'erased'))
    const entry = erased.entries[later]!
    const [salt, { 6: why, ...others }] = entry.fields.erased as [string, Record<string, string[]>]
    const earlier = {
      ...{ ...entry, index: 12, leaf: { ...entry.leaf, at: '2026-11-28T09:55:00.000Z' } },
      fields: { ...entry.fields, erased: [salt, { 6: why }] as const },
    }
    const last = { ...entry, fields: { ...entry.fields, erased: [salt, others] as const } }
    const text = textOf({ ...erased, entries: erased.entries.toSpliced(later, 1, earlier, last) })
    expect(text).toContain('Why: erased, 2026-11-28 09:55:00 UTC')
    expect(text).toContain('Reason: erased, 2026-11-28 09:55:38 UTC')
    expect(text).toContain('Text shown for confirmation erased, 2026-11-28 09:55:38 UTC')
  })

  test('without any field is still a page', () => {
    expect(textOf(without(() => true, { erased: true }))).toContain('Evidence: erased')
    expect(textOf({ ...good, entries: [] })).toContain('Evidence: evidence-1.json')
  })
})

describe('texts of others', () => {
  /** Every text of the dossier, also in answers, and as a name. */
  const pageWith = (canary: string): string => {
    const changed = (value: unknown): unknown => {
      if (typeof value === 'string') return `${canary} x`
      if (typeof value !== 'object' || value === null) return value
      if (Array.isArray(value)) return value.map(changed)
      return {
        ...Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one)])),
        [canary]: canary,
      }
    }
    const entries = good.entries.map((entry) => ({
      ...entry,
      leaf: { ...(changed({ ...entry.leaf, body: {} }) as object), body: { gone: '', [canary]: '' } },
      fields: Object.fromEntries(
        Object.entries(entry.fields).map(([name, [salt, value]]) => [name, [salt, changed(value)]]),
      ),
    })) as unknown as Dossier['entries']
    const answers = [...caseAnswers('GET'), { request: `GET /${canary}`, at: canary, body: canary }].map((answer) => ({
      ...answer,
      body: answer.body.replaceAll('TEXT', JSON.stringify(canary).slice(1, -1)),
    }))
    return evidencePage({ ...good, checkpoint: canary, entries, answers }, { ...about, name: canary })
  }

  const tagsOf = (page: string) =>
    [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/(datetime|content)="[^"]*"| class="long"/g, ''))

  const styleOf = (page: string) => /<style>.*<\/style>/s.exec(page)?.[0].replace(/content: '[\w.-]*'/, '')

  test.each([
    ['an element', '<script>alert(1)</script>'],
    ['the end of an attribute', '"><img src=x onerror=alert(1)>'],
    ['an attribute', "' onmouseover='alert(1)"],
    ['the end of the style', '</style></title><b>'],
    ['a comment', '--><!--'],
    ['bidi characters', '\u202Etxt.exe\u2066'],
    ['halves of characters', '\uD800 and \uDC00'],
    ['control characters', '\0\u001B[31m'],
    ['escapes', '&lt;script&gt;'],
    ['10,000 characters', 'x'.repeat(10_000)],
    ['a name of the language', '__proto__'],
  ])('stay texts: %s', (_what, canary) => {
    const page = pageWith(canary)
    expect(tagsOf(page)).toEqual(tagsOf(pageWith('x')))
    expect(styleOf(page)).toBe(styleOf(pageWith('x')))
    expect(page).toBe(visibleText(page).toWellFormed())
  })

  test('cannot load or run anything', () => {
    const page = pageWith('x')
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
    expect(page).not.toMatch(/<script|<link|<img| src=| href=| on\w+=|url\(|@import/)
  })
})

const [ANA, BEN, ARBITRATOR] = ['11', '12', '2'].map((end) => `00000000-0000-4000-8000-${end.padStart(12, '0')}`)
const CASE = '00000000-0000-4000-8000-00000000c000'

const message = (number: number, more: object) => ({
  ...{ id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`, disputeCaseId: CASE, isSystemMessage: false },
  ...{ senderUserId: ANA, body: `TEXT ${number}`, createdAt: `2026-11-28T08:00:0${number}Z` },
  ...more,
})

function caseAnswers(request = 'GET'): Dossier['answers'] {
  const found = { id: CASE, referenceId: 'P2P~1', raisedByUserId: ANA, counterpartyUserId: BEN, status: 'OPEN' }
  const facts = { reason: 'TEXT', createdAt: '2026-11-28T08:00:00Z', risk: { score: 7 }, note: 'TEXT' }
  const first = message(1, { attachments: [{ name: 'photo.jpg TEXT', url: 'https://files.example.com/1' }] })
  const last = message(3, { senderUserId: null, isSystemMessage: true })
  const paid = {
    referenceId: 'P2P~1',
    fromAccountId: ANA,
    toAccountId: BEN,
    debit: '21.00000000',
    credit: '20.00000000',
  }
  const rest = { transactionId: '1', transactionType: 'P2P', state: 'DISPUTED', createdAt: '2026-11-27T08:00:00Z' }
  return [
    [`${request} /api/v1/Dispute/${CASE}`, { ...found, ...facts, messages: [first] }],
    [
      `${request} /api/v1/Dispute/${CASE}/messages?page=1`,
      { messages: [message(2, { senderUserId: ARBITRATOR }), last, first] },
    ],
    [`${request} /api/v1/Transaction/P2P~1`, { ...paid, ...rest }],
  ].map(([path, data]) => ({ request: String(path), at: AT, body: JSON.stringify({ data }) }))
}

describe('a case', () => {
  test('shows its fields, and those beyond the contract', () => {
    const text = textOf({ ...good, answers: caseAnswers() })
    for (const part of [
      `As the service answered at 2026-11-28 09:00:00 UTC to GET /api/v1/Dispute/${CASE} ; SHA-256`,
      'State Open ( OPEN )',
      'Opened 2026-11-28 08:00:00 UTC',
      'risk { "score": 7 }',
      'Type Transfer ( P2P )',
      'Sender pays 21.00 BZD',
      'State Disputed ( DISPUTED )',
    ])
      expect(text).toContain(part)
  })

  test.each([undefined, null])('shows its fields if its messages are %j', (messages) => {
    const answers = caseAnswers().map(({ body, ...answer }) => {
      const { data } = JSON.parse(body)
      return { ...answer, body: JSON.stringify({ data: data.status === 'OPEN' ? { ...data, messages } : data }) }
    })
    const text = textOf({ ...good, answers })
    expect(text).toContain('State Open ( OPEN )')
    expect(text).toContain('Thread: 3 messages')
  })

  test('says that the service found no transaction', () => {
    const answers = caseAnswers().filter(({ request }) => !request.includes('/Transaction/'))
    expect(textOf({ ...good, answers })).toContain('Not in this file: the service found no transaction P2P~1 .')
    expect(textOf({ ...good, answers: caseAnswers() })).not.toContain('Not in this file')
    expect(textOf(good)).not.toContain('Not in this file')
  })

  test('shows each message once, oldest first, with its author', () => {
    const [, thread = ''] = textOf({ ...good, answers: caseAnswers() }).split('Thread: 3 messages')
    expect(thread).toMatch(
      new RegExp(
        `08:00:01 UTC · Sender ${ANA} TEXT 1 .*photo.jpg.*08:00:02 UTC · Arbitrator ${ARBITRATOR} TEXT 2 .*08:00:03 UTC · The service TEXT 3 `,
      ),
    )
    expect(thread).not.toContain('files.example.com')
  })

  test.each([
    ['{"data":{"amount":12345678901234567890.10}}', '"amount": 12345678901234567890.10'],
    ['{"data":{"messages":[{"id":1}]}}', '"id": 1'],
    ['not JSON', 'not JSON'],
  ])('shows an answer that it does not know: %s', (body, shown) => {
    const request = `GET /api/v1/Dispute/${CASE}/messages?page=1`
    expect(textOf({ ...good, answers: [{ request, at: AT, body }] })).toContain(shown)
  })

  caseTest('names the hash of the file, which the verifier accepts', async ({ arbitrator, dispute }) => {
    await dispute.post('It never came.')
    await runCommand(arbitrator, 'dispute.message', { caseId: dispute.id, body: 'Please send a photo.' })
    const exported = await exportCaseEvidence(arbitrator, dispute.id)
    if (!exported.ok) throw new Error(JSON.stringify(exported.problem))
    const { file, page } = evidenceFiles(dispute.id, exported)
    const text = plain(page.text)
    expect([file.name, page.name]).toEqual([`evidence-${dispute.id}.json`, `evidence-${dispute.id}.html`])
    expect(text).toContain(`SHA-256 of the file ${createHash('sha256').update(file.text).digest('hex')}`)
    expect(text).toMatch(
      /Evidence: case .*Please send a photo\..*Thread: \d messages.*It never came\..*Please send a photo\./,
    )
    const {
      logOrigin,
      logKeys: [logKey],
    } = config()
    expect(verifyDossier(file.text, verifierKey(logOrigin, logKey)).changes).toHaveLength(2)
  })
})

describe('the witness', () => {
  const wordsWith = (publicKey: NonNullable<ReturnType<typeof config>['witness']>['publicKey']): string => {
    configureForTest()
    Object.assign(config(), { witness: { token: 'x', publicKey } })
    return plain(evidenceFiles('1', { dossier: good, confirmed: true }).page.text)
  }
  const { id, ...known } = readPublicKey(witnessKey, 4)
  const keyId = Buffer.from(id)

  test('is named with the time of its signature', () => {
    const text = wordsWith({ ...known, keyId })
    expect(text).toContain('witness.example.com confirmed these entries at 2026-11-28 09:55:38 UTC')
  })

  test('is not named by a key of another', () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    expect(wordsWith({ ...known, keyId, key: publicKey })).toContain('This console no longer has its key.')
  })
})
