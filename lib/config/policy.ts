import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { scopes } from '#lib/contract/scopes.ts'
import { policyKinds, policyTermsOf } from '#lib/kind-names.ts'
import { CLOSED, readClosedFile } from './closed-file.ts'

const FILE_MAX_CHARS = 256_000
const RULES_MAX = 100
const COUNT_MAX = 100_000
const APPROVERS_MAX = 5
const APPROVAL_HOURS = 8
const APPROVAL_HOURS_MAX = 72

const amount = z
  .string({ error: 'must be an amount in BZD, as text' })
  .regex(/^\d{1,12}(\.\d{1,8})?$/, 'must be an amount in BZD, such as "1000.00"')
  .refine((value) => /[1-9]/.test(value), 'must be above zero')

const wholeFrom1 = (max: number) =>
  z.int({ error: 'must be a whole number' }).min(1, 'must be 1 or more').max(max, `must be at most ${max}`)

const given = z.literal(true, { error: 'must be true, or be left out' })

const conditions = z.strictObject({
  amountAtLeast: amount.optional(),
  decision: z.enum(['refund', 'release'], { error: 'must be refund or release' }).optional(),
  /** A person entered or accepted the reference on the statement line. */
  enteredByHand: given.optional(),
  /** A person accepted references together that the texts of their lines name exactly. */
  foundInText: given.optional(),
  /** A person freed the bank reference of another confirmation. */
  freedByHand: given.optional(),
})

const limit = z
  .strictObject({ sum: amount.optional(), count: wholeFrom1(COUNT_MAX).optional() })
  .refine(({ sum, count }) => sum !== undefined || count !== undefined, 'must give a sum, a count, or both')

const approval = z.strictObject({
  by: wholeFrom1(APPROVERS_MAX).default(1),
  /** Required in addition to the scope of the change. */
  scope: z.enum(scopes, { error: 'must be a scope that the service has, such as "core:cards:manage"' }).optional(),
  passkey: given.optional(),
  /** One approver reads what is new before it is sent. */
  reread: given.optional(),
})

const rule = z
  .strictObject({
    kind: z.enum(policyKinds, { error: `must be one of ${policyKinds.join(', ')}` }),
    when: conditions.default({}),
    limit: limit.optional(),
    /** With a limit, required only above it. */
    approval: approval.optional(),
    passkey: given.optional(),
  })
  .superRefine(({ kind, when, limit, approval, passkey }, context) => {
    const { amount: hasAmount, decision: decides, approvable, messages } = policyTermsOf(kind) ?? {}
    const wrong = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (!hasAmount && when.amountAtLeast !== undefined) wrong(['when', 'amountAtLeast'], `${kind} has no amount`)
    if (!hasAmount && limit?.sum !== undefined) wrong(['limit', 'sum'], `${kind} has no amount`)
    if (!decides && when.decision !== undefined) wrong(['when', 'decision'], `${kind} has no decision`)
    for (const mark of ['enteredByHand', 'foundInText', 'freedByHand'] as const) {
      if (when[mark] === undefined) continue
      if (kind !== 'deposit.confirm') wrong(['when', mark], `${kind} has no references`)
      if (limit !== undefined) wrong(['when', mark], 'cannot be used in a limit')
    }
    if (limit === undefined && approval === undefined && passkey === undefined)
      wrong([], 'must ask for a limit, an approval or a passkey')
    if (limit !== undefined && passkey !== undefined)
      wrong(['passkey'], 'cannot be used in a limit: use a separate rule')
    if (passkey !== undefined && !approvable) wrong(['passkey'], `${kind} cannot need a passkey`)
    if (approval !== undefined && !approvable) wrong(['approval'], `${kind} cannot need an approval`)
    if (approval?.reread && !messages) wrong(['approval', 'reread'], `${kind} has no messages`)
  })

const policy = z.strictObject({
  rules: z.array(rule).max(RULES_MAX, `must be at most ${RULES_MAX}`),
  approvalHours: wholeFrom1(APPROVAL_HOURS_MAX).default(APPROVAL_HOURS),
})

export type PolicyRule = z.output<typeof rule>

export interface Policy {
  /** SHA-256 of the file, as `sha256sum` prints it. */
  readonly version: string | null
  readonly rules: readonly PolicyRule[]
  readonly approvalHours: number
}

export const NO_POLICY: Policy = { version: null, rules: [], approvalHours: APPROVAL_HOURS }

export function readPolicy(text: string): Policy | { readonly faults: readonly string[] } {
  if (text.length > FILE_MAX_CHARS) return { faults: [`is longer than ${FILE_MAX_CHARS} characters`] }
  let json: unknown
  let repeated: string | null
  try {
    json = JSON.parse(text)
    repeated = findRepeatedName(text, json)
  } catch (error) {
    return { faults: [error instanceof RangeError ? 'is nested too deeply' : 'is not JSON'] }
  }
  if (repeated !== null) return { faults: [`has the name "${repeated}" twice in one object`] }
  const parsed = policy.safeParse(json)
  if (!parsed.success) return { faults: parsed.error.issues.map(({ path, message }) => `${place(path)}${message}`) }
  return { version: createHash('sha256').update(text).digest('hex'), ...parsed.data }
}

/** JSON.parse keeps the last value of a repeated name, so that rules would be lost. */
function findRepeatedName(text: string, value: unknown): string | null {
  const left = new Map<string, number>()
  const count = (name: string, by: number) => left.set(name, (left.get(name) ?? 0) + by)
  for (const [, name, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)) {
    if (name !== undefined && colon !== undefined) count(JSON.parse(name), 1)
  }
  JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
      for (const name of Object.keys(inner)) count(name, -1)
    }
    return inner
  })
  return [...left].find(([, times]) => times > 0)?.[0] ?? null
}

function place(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  return text === '' ? '' : `${text.replace(/^\./, '')}: `
}

/** A person who can write the policy can lift its limits. */
export const policyFile = z.string().transform((path, context): Policy => {
  const text = readClosedFile(path, CLOSED.toWriters, context)
  if (text === null) return z.NEVER
  const read = readPolicy(text)
  if (!('faults' in read)) return read
  for (const fault of read.faults) context.addIssue(fault)
  return z.NEVER
})
