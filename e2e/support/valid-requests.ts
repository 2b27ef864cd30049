import { randomUUID } from 'node:crypto'
import type { Call } from './access.ts'
import { ANA, type SandboxControls } from './sandbox-controls.ts'

/** What the requests of one person are about. */
export interface Subjects {
  readonly actor: string
  readonly deposit: string
  /** A disputed transaction without a case. */
  readonly disputed: string
  readonly card: { readonly id: string; readonly last4: string }
  /** An open case for each change of one, by method and kind. */
  readonly cases: ReadonlyMap<string, OpenCase>
}

interface OpenCase {
  readonly caseId: string
  readonly referenceId: string
  readonly latestMessageId: string
}

const NO_CASE: OpenCase = { caseId: randomUUID(), referenceId: 'none', latestMessageId: '' }

/** For a visitor without a session. */
export const NO_SUBJECTS: Subjects = {
  actor: '',
  deposit: 'none',
  disputed: 'none',
  card: { id: randomUUID(), last4: '' },
  cases: new Map(),
}

const keyOf = ({ route, method, kind }: Call): string => `${method} ${kind === '' ? route : kind}`

export async function makeSubjects(
  sandbox: SandboxControls,
  actor: string,
  everyCall: readonly Call[],
): Promise<Subjects> {
  const raise = async (): Promise<OpenCase> => {
    const referenceId = await sandbox.payInEscrow()
    const caseId = await sandbox.raiseCase(referenceId)
    return { caseId, referenceId, latestMessageId: (await sandbox.messagesOf(caseId)).at(-1)?.id ?? '' }
  }
  const ofCases = everyCall.filter(
    ({ route, kind }) => /^(?:case|dispute)\./.test(kind) || route.endsWith('/assignments'),
  )
  const disputed = await sandbox.payInEscrow()
  await sandbox.moveTransaction(disputed, 'dispute')
  return {
    actor,
    deposit: await sandbox.announceDeposit('ana@example.com', '10'),
    disputed,
    card: await sandbox.issueElsewhere(ANA),
    cases: new Map(
      await Promise.all(ofCases.map(async (call) => [keyOf(call), await raise()] satisfies [string, OpenCase])),
    ),
  }
}

function paramsOf(kind: string, subjects: Subjects, { caseId, referenceId, latestMessageId }: OpenCase): object {
  const { deposit, disputed, card } = subjects
  const id = randomUUID()
  const params: Readonly<Record<string, object>> = {
    'deposit.confirm': { referenceId: deposit, bankReference: `ATL ${id}`, statementAmount: '10' },
    'deposit.hand-over': { referenceId: deposit, to: 'sso:somebody' },
    'deposit.hand-back': { referenceId: deposit },
    'card.issue': { userId: ANA, cardType: '1', printedName: 'Ana' },
    'card.register': { issueId: id, cardId: id, last4: '4242', why: 'Read out by the holder.' },
    'card.block': { cardId: card.id, last4: card.last4, reason: 'Lost.' },
    'terminal.register': { merchantId: 'merchant-001', terminalUid: `PAX-${id}`, label: 'Counter 9' },
    'terminal.disable': { terminalId: id, reason: 'Lost.' },
    'case.assign': { caseId },
    'case.reassign-to-me': { caseId, from: 'sso:somebody' },
    'case.reassign': { caseId, to: 'sso:somebody', note: '' },
    'case.unassign': { caseId },
    'case.note': { caseId, text: 'Read it again.' },
    'case.snooze': { caseId, until: new Date(Date.now() + 3_600_000).toISOString() },
    'case.wake': { caseId },
    'case.watch': { caseId, watching: true },
    'case.drop-deadline': { caseId, until: '' },
    'assignee.away': { person: subjects.actor, until: '' },
    // None is added, since decisions would need one.
    'category.save': { id, name: `Late ${id}`, changedAt: 'then' },
    'category.retire': { id, changedAt: '' },
    'category.restore': { id },
    'snippet.save': { id, name: `Ask ${id}`, text: 'Which day was it?', changedAt: '' },
    'snippet.remove': { id, changedAt: '' },
    'snippet.restore': { id },
    'dispute.message': { caseId, body: 'Any news?' },
    'dispute.resolve': { caseId, referenceId, decision: 'refund', reason: 'Never sent.', latestMessageId },
    'transaction.resolve': { referenceId: disputed, decision: 'refund', reason: 'Both sides agree.' },
    'deposit.settle': { id, happened: false, why: 'The bank says so.' },
    'dispute.settle': { id, happened: false, why: 'The bank says so.' },
    'passkey.remove': { id, way: 'passkey' },
    'change.erase': { id, reason: 'x' },
  }
  return params[kind] ?? {}
}

const ATTESTATION = { id: 'AA', response: { clientDataJSON: 'AA', attestationObject: 'AA' } }
const WHY = { why: 'The bank says so.' }

const SEEN = { id: randomUUID(), createdAt: '2026-01-01T00:00:00Z' }

/** Only what is here takes a body. */
const bodies = (actor: string, caseId: string): Readonly<Record<string, object>> => ({
  'POST /api/commands/[id]': {},
  'POST /api/commands/[id]/approval': { reason: 'It is urgent.' },
  'POST /api/commands/[id]/decision': { approves: false, effect: 'a'.repeat(64), reason: 'Not now.' },
  'POST /api/commands/[id]/dismiss': WHY,
  'POST /api/commands/[id]/free-lock': WHY,
  'POST /api/commands/[id]/settle': { happened: false, ...WHY },
  'POST /api/deposits/statements/[id]/found-references': { seal: 'of others' },
  'POST /api/deposits/statements/[id]/lines/[number]': { act: 'set-aside', reason: 'Of another company.' },
  'POST /api/deposits/statements/[id]/work': { work: 'look', scope: 'all' },
  'DELETE /api/deposits/statements/[id]/work': { run: 1 },
  'POST /api/disputes/[caseId]/seen': SEEN,
  'DELETE /api/disputes/[caseId]/seen': SEEN,
  'POST /api/disputes/assignments': { caseIds: [caseId], to: 'me' },
  'POST /api/disputes/next': {},
  'POST /api/look-up': { text: 'ana' },
  'POST /api/stream/poll': { topics: ['home'] },
  'POST /api/passkeys': { name: 'Laptop', passkey: ATTESTATION },
  'POST /api/passkeys/challenge': { code: '000000' },
  'PUT /api/session/drafts': {
    owner: actor,
    place: 'deposit:none',
    text: 'Typed.',
    page: randomUUID(),
    number: 1,
    base: 0,
  },
  'POST /api/policy/rehearsal': { text: '{"rules":[]}', days: 1 },
  'POST /api/session/others': { of: { session: randomUUID() }, reason: 'Lost laptop.' },
  'POST /api/session/preferences': { density: 'compact' },
  'POST /api/session/recent-things': { kind: 'user', id: ANA, pinned: false },
  'POST /api/stream': { topics: ['home'] },
  'POST /api/stream/[id]': { topics: ['home'] },
  'POST /api/views': {
    table: 'changes',
    name: `View ${randomUUID()}`,
    shared: false,
    state: { query: {}, hidden: [], density: 'normal' },
  },
  'PUT /api/views/[id]': { name: 'Renamed' },
})

const FORM = 'application/x-www-form-urlencoded'
const STATEMENT =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nDate,Amount\n2026-01-02,10.00\n\r\n--b--\r\n'

export interface Body {
  readonly type: string
  readonly text: string
}

const otherBodies: Readonly<Record<string, Body>> = {
  '/sign-in': { type: FORM, text: 'email=nobody@example.com&password=none&csrfToken=' },
  '/api/auth/[...nextauth]': { type: FORM, text: 'csrfToken=' },
  '/api/csp-report': { type: 'application/csp-report', text: '{"csp-report":{"effective-directive":"script-src"}}' },
  '/api/session/back-channel-logout': { type: FORM, text: 'logout_token=a.b.c' },
  '/api/deposits/statements': { type: 'multipart/form-data; boundary=b', text: STATEMENT },
}

/** A body that the handler accepts; null where it reads none. */
export function validBody(call: Call, subjects: Subjects): Body | null {
  const { route, kind } = call
  const about = subjects.cases.get(keyOf(call)) ?? NO_CASE
  const json =
    kind === '' ? bodies(subjects.actor, about.caseId)[keyOf(call)] : { kind, params: paramsOf(kind, subjects, about) }
  return otherBodies[route] ?? (json === undefined ? null : { type: 'application/json', text: JSON.stringify(json) })
}

const NOT_DRAFTED_HERE = '200 fault in params'
const NO_STATEMENT = '409 service'
const NOBODY_ASSIGNED = '200 fault in caseId'

/** What comes, as {@link inShort} writes it; for people without two-factor security in the second place. */
const answers: Readonly<Record<string, string | readonly [string, string]>> = {
  'POST deposit.hand-over': '200 fault in to',
  'PUT deposit.hand-over': '200 fault in to',
  'POST deposit.hand-back': '200 fault in referenceId',
  'PUT deposit.hand-back': '200 fault in referenceId',
  'POST card.register': '200 service 404',
  'PUT card.register': '200 service 404',
  'POST terminal.disable': '200 service 404 core::tessera::terminal::not_found',
  'POST case.reassign-to-me': NOBODY_ASSIGNED,
  'POST case.reassign': '200 fault in to, caseId',
  'PUT case.reassign': '200 fault in to, caseId',
  'POST case.unassign': NOBODY_ASSIGNED,
  'PUT case.unassign': NOBODY_ASSIGNED,
  'POST case.snooze': NOBODY_ASSIGNED,
  'PUT case.snooze': NOBODY_ASSIGNED,
  'POST case.wake': NOBODY_ASSIGNED,
  'PUT case.wake': NOBODY_ASSIGNED,
  'POST case.drop-deadline': '200 fault in caseId',
  'PUT case.drop-deadline': '200 fault in caseId',
  'POST category.save': '200 fault in id',
  'PUT category.save': '200 fault in id',
  'POST category.restore': '200 fault in id',
  'PUT category.restore': '200 fault in id',
  'POST snippet.restore': '200 fault in id',
  'PUT snippet.restore': '200 fault in id',
  'POST deposit.settle': '200 fault in id',
  'POST dispute.settle': '200 fault in id',
  'POST statement.import': NOT_DRAFTED_HERE,
  'POST statement.discard': NOT_DRAFTED_HERE,
  'POST statement.restore': NOT_DRAFTED_HERE,
  'POST statement.edit-line': NOT_DRAFTED_HERE,
  'POST passkey.add': NOT_DRAFTED_HERE,
  'POST access.refused': NOT_DRAFTED_HERE,
  'POST evidence.export': NOT_DRAFTED_HERE,
  'POST totp.enrol': ['200 fault in totp', '200 draft'],
  'PUT totp.enrol': ['200 fault in totp', '200 done'],
  'POST totp.confirm': ['200 fault in totp', '200 draft'],
  'POST totp.remove': ['200 draft', '200 fault in totp'],
  'POST passkey.remove': '200 fault in id',
  'POST change.erase': '200 fault in id',
  'POST /sign-in': '200',
  'POST /api/auth/[...nextauth]': '302',
  'POST /api/csp-report': '204',
  'POST /api/deposits/statements/[id]': NO_STATEMENT,
  'DELETE /api/deposits/statements/[id]': NO_STATEMENT,
  'POST /api/deposits/statements/[id]/found-references': '404 service',
  'POST /api/deposits/statements/[id]/lines/[number]': NO_STATEMENT,
  'POST /api/deposits/statements/[id]/lines/[number]/confirmation': NO_STATEMENT,
  'POST /api/deposits/statements/[id]/work': '404 service',
  'DELETE /api/deposits/statements/[id]/work': '404 service',
  'POST /api/log/checkpoint': '404',
  'POST /api/look-up': '200 kind',
  'POST /api/stream/poll': '200 events',
  'POST /api/passkeys': '409 service',
  'POST /api/passkeys/challenge': ['200 wanted', '409 service'],
  'POST /api/policy/rehearsal': '200 rehearsal',
  'POST /api/session/activity': '200 signedIn',
  'POST /api/session/back-channel-logout': '400 invalid_request',
  'POST /api/session/others': '404 service',
  'POST /api/stream': '200 stream',
  'POST /api/stream/[id]': '404 service',
  'PUT /api/views/[id]': '404 service',
}

/** The tables above have nothing of a route or a kind that is gone. */
export const goneRequests = (everyCall: readonly Call[]): readonly string[] => {
  const known = new Set(everyCall.map(keyOf))
  return [...Object.keys(answers), ...Object.keys(bodies('', ''))].filter((key) => !known.has(key))
}

const ENROLLED = new Set(['arbitrator', 'admin'])

/** What a person who is let in gets for {@link validBody}. The ids in addresses are those of nothing. */
export function expectedAnswer(call: Call, person: string): string {
  const { route, method, kind } = call
  const answer = answers[keyOf(call)]
  if (typeof answer === 'string') return answer
  if (answer !== undefined) return answer[ENROLLED.has(person) ? 0 : 1]
  if (kind !== '') return method === 'PUT' ? '200 done' : '200 draft'
  return route.startsWith('/api/commands/[id]') ? '404 service' : '200 ok'
}

interface Reply {
  readonly ok?: boolean
  readonly draft?: unknown
  readonly command?: { readonly outcome: { readonly class: string } }
  readonly problem?: { readonly kind: string; readonly status: number; readonly code: string | null } | null
  readonly fields?: Readonly<Record<string, string>>
  readonly error?: string
}

/** An answer in a few words: `200 ok`, `200 draft`, `200 fault in caseId`, `404 service`. */
export async function inShort(response: Response): Promise<string> {
  const { status } = response
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return `${status} stream`
  }
  const [first = ''] = (await response.text()).split('\n')
  return first.startsWith('{') ? `${status} ${partsOf(JSON.parse(first) as Reply, status)}` : `${status}`
}

function partsOf(reply: Reply, status: number): string {
  const { ok, draft, command, problem, fields = {}, error, ...others } = reply
  if (Object.keys(fields).length > 0) return `fault in ${Object.keys(fields).join(', ')}`
  if (problem)
    return [problem.kind, problem.status === status ? '' : problem.status, problem.code].filter(Boolean).join(' ')
  if (draft !== undefined) return 'draft'
  return command?.outcome.class ?? error ?? (ok ? 'ok' : (Object.keys(others)[0] ?? 'nothing'))
}
