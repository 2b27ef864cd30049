import { createHash } from 'node:crypto'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { testEnvironment } from '#lib/testing/test-console.ts'
import { parseConfig } from './config.ts'
import { readPolicy } from './policy.ts'

const faultsOf = (...rules: readonly unknown[]): readonly string[] => {
  const read = readPolicy(JSON.stringify({ rules }))
  return 'faults' in read ? read.faults : []
}
const limit = { count: 3 }

test.each([
  [{ kind: 'deposit.confirn', limit }, 'rules[0].kind: must be one of deposit.confirm'],
  [{ kind: 'totp.remove', limit }, 'rules[0].kind: must be one of'],
  [{ kind: 'statement.import', limit }, 'rules[0].kind: must be one of'],
  [{ kind: 'deposit.confirm' }, 'rules[0]: must ask for a limit, an approval or a passkey'],
  [{ kind: 'deposit.confirm', approval: { by: 0 } }, 'rules[0].approval.by: must be 1 or more'],
  [{ kind: 'deposit.confirm', approval: { by: 6 } }, 'rules[0].approval.by: must be at most 5'],
  [{ kind: 'deposit.confirm', approval: { scope: 'core:cards:mange' } }, 'rules[0].approval.scope: must be a scope'],
  [{ kind: 'deposit.confirm', approval: { group: 'chiefs' } }, 'rules[0].approval: Unrecognized key: "group"'],
  [
    { kind: 'card.issue', when: { enteredByHand: true }, approval: {} },
    'rules[0].when.enteredByHand: card.issue has no references',
  ],
  [
    { kind: 'deposit.confirm', when: { freedByHand: true }, limit },
    'rules[0].when.freedByHand: cannot be used in a limit',
  ],
  [{ kind: 'deposit.confirm', when: { freedByHand: false }, approval: {} }, 'rules[0].when.freedByHand: must be true'],
  [
    { kind: 'deposit.confirm', limit, passkey: true },
    'rules[0].passkey: cannot be used in a limit: use a separate rule',
  ],
  [{ kind: 'dispute.message', passkey: true }, 'rules[0].passkey: dispute.message cannot need a passkey'],
  [{ kind: 'deposit.confirm', passkey: 'yes' }, 'rules[0].passkey: must be true'],
  [{ kind: 'card.block', approval: { reread: true } }, 'rules[0].approval.reread: card.block has no messages'],
  [{ kind: 'dispute.message', approval: {} }, 'rules[0].approval: dispute.message cannot need an approval'],
  [{ kind: 'case.note', limit: { count: 5 } }, 'rules[0].kind: must be one of deposit.confirm'],
  [{ kind: 'deposit.confirm', limit: {} }, 'rules[0].limit: must give a sum, a count, or both'],
  [{ kind: 'deposit.confirm', limit: { amount: '5' } }, 'rules[0].limit: Unrecognized key: "amount"'],
  [{ kind: 'deposit.confirm', limit, unless: 'Mia' }, 'rules[0]: Unrecognized key: "unless"'],
  [{ kind: 'deposit.confirm', limit: { sum: 1000 } }, 'rules[0].limit.sum: must be an amount in BZD, as text'],
  [{ kind: 'deposit.confirm', limit: { sum: '1,000' } }, 'rules[0].limit.sum: must be an amount in BZD'],
  [{ kind: 'deposit.confirm', limit: { sum: '-5' } }, 'rules[0].limit.sum: must be an amount in BZD'],
  [{ kind: 'deposit.confirm', limit: { sum: '0.00' } }, 'rules[0].limit.sum: must be above zero'],
  [{ kind: 'deposit.confirm', limit: { count: 0 } }, 'rules[0].limit.count: must be 1 or more'],
  [{ kind: 'deposit.confirm', limit: { count: 1.5 } }, 'rules[0].limit.count: must be a whole number'],
  [{ kind: 'card.issue', limit: { sum: '5' } }, 'rules[0].limit.sum: card.issue has no amount'],
  [
    { kind: 'card.issue', when: { amountAtLeast: '5' }, limit },
    'rules[0].when.amountAtLeast: card.issue has no amount',
  ],
  [
    { kind: 'deposit.confirm', when: { decision: 'refund' }, limit },
    'rules[0].when.decision: deposit.confirm has no decision',
  ],
  [{ kind: 'dispute.resolve', when: { decision: 'no' }, limit }, 'rules[0].when.decision: must be refund or release'],
  [{ kind: 'dispute.resolve', when: { amount: '5' }, limit }, 'rules[0].when: Unrecognized key: "amount"'],
])('%j is refused, with its place', (rule, fault) => {
  expect(faultsOf(rule).join('\n')).toContain(fault)
})

test('every fault of a file is told at once', () => {
  expect(faultsOf({ kind: 'no', limit }, { kind: 'card.issue', limit: { count: 0 } })).toHaveLength(2)
})

test('POLICY_FILE: what cannot be read, and what is no policy, stops the start and is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'policy-'))
  try {
    const file = join(folder, 'policy.json')
    const parsed = (text: string) => {
      writeFileSync(file, text, { mode: 0o600 })
      return parseConfig({ ...testEnvironment, POLICY_FILE: file })
    }
    const good = '{ "rules": [ { "kind": "card.issue", "limit": { "count": 2 } } ] }\n'
    expect(parsed(good)).toMatchObject({
      ok: true,
      config: { policy: { version: createHash('sha256').update(good).digest('hex'), rules: [{ kind: 'card.issue' }] } },
    })
    const why = (text: string) => {
      const result = parsed(text)
      return result.ok ? [] : result.faults.map((fault) => `${fault.variable} ${fault.why}`)
    }
    expect(why('{ rules: [] }')).toEqual(['POLICY_FILE is not JSON'])
    expect(why('[]')[0]).toMatch(/^POLICY_FILE /)
    expect(why('{ "rules": [ { "kind": "card.issue" } ] }')[0]).toMatch(/^POLICY_FILE rules\[0\]: must ask for/)
    rmSync(file)
    expect(parseConfig({ ...testEnvironment, POLICY_FILE: file })).toEqual({
      ok: false,
      faults: [{ variable: 'POLICY_FILE', why: 'cannot be read: ENOENT' }],
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([0o620, 0o602, 0o666])('refuses a policy file that others can write: %o', (mode) => {
  const folder = mkdtempSync(join(tmpdir(), 'policy-'))
  const file = join(folder, 'policy.json')
  const parsed = () => parseConfig({ ...testEnvironment, POLICY_FILE: file })
  try {
    writeFileSync(file, '{ "rules": [] }', { mode: 0o644 })
    expect(parsed()).toMatchObject({ ok: true })
    chmodSync(file, mode)
    const why = expect.stringContaining(`others can write (mode 0${mode.toString(8)})`)
    expect(parsed()).toEqual({ ok: false, faults: [{ variable: 'POLICY_FILE', why }] })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('refuses a policy file of another user', () => {
  const folder = mkdtempSync(join(tmpdir(), 'policy-'))
  const file = join(folder, 'policy.json')
  const parsed = () => parseConfig({ ...testEnvironment, POLICY_FILE: file })
  const runAs = (uid: number) => vi.spyOn(process, 'getuid').mockReturnValue(uid)
  const isRoot = process.getuid?.() === 0
  const owner = isRoot ? 4321 : (process.getuid?.() ?? 0)
  try {
    writeFileSync(file, '{ "rules": [] }', { mode: 0o644 })
    if (isRoot) chownSync(file, owner, owner)
    runAs(owner)
    expect(parsed()).toMatchObject({ ok: true })
    runAs(owner + 1)
    const why = `names a file of another user (${owner}), who can change it. Give it to root or the console’s user`
    expect(parsed()).toEqual({ ok: false, faults: [{ variable: 'POLICY_FILE', why }] })
  } finally {
    vi.restoreAllMocks()
    rmSync(folder, { recursive: true })
  }
})

test('without a file there is no policy', () => {
  expect(parseConfig(testEnvironment)).toMatchObject({ ok: true, config: { policy: { version: null, rules: [] } } })
})

test('the policy of the sandbox is one', async () => {
  const { readFileSync } = await import('node:fs')
  const read = readPolicy(readFileSync('sandbox/policy.json', 'utf8'))
  expect('faults' in read ? read.faults : read.rules.length).toBe(5)
})

test.each([
  ['{"rules": [], "rules": []}', 'rules'],
  ['{"rules": [{"kind": "deposit.confirm", "limit": {"count": 3, "c\\u006funt": 9}}]}', 'count'],
  ['{"rules": [{"kind": "deposit.confirm", "limit": {"count": 3}, "limit" : {"count": 9}}]}', 'limit'],
])('refuses a name that is given twice: %s', (text, name) => {
  expect(readPolicy(text)).toEqual({ faults: [`has the name "${name}" twice in one object`] })
})

test.each(['[', '{"rules":'])('names a policy that is nested too deeply: %s', (open) => {
  const depth = 20_000
  const text = `${open.repeat(depth)}1${(open === '[' ? ']' : '}').repeat(depth)}`
  expect(readPolicy(text)).toEqual({ faults: ['is nested too deeply'] })
})

test('takes a name once in each of several objects', () => {
  const text =
    '{"rules": [{"kind": "deposit.confirm", "limit": {"count": 3}}, {"kind": "card.issue", "limit": {"count": 3}}]}'
  expect(readPolicy(text)).not.toHaveProperty('faults')
})
