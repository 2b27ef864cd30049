import 'server-only'
import type { Selectable } from 'kysely'
import { canViewEntry } from '#lib/commands/access.ts'
import type { Line } from '#lib/commands/command.ts'
import { actorWords } from '#lib/commands/view.ts'
import { FAULTS_MAX } from '#lib/journal/verify.ts'
import type { AuditKindName } from '#lib/session/audit-kinds.ts'
import type { AuditFacts } from '#lib/session/audit-trail.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { counted, formatCount, ownProperty } from '#lib/values/words.ts'
import { placeOfEntry } from './command-place.ts'
import { kindWords, methodWords } from './kind-words.ts'

export type EntryRow = Selectable<Tables['audit_entry']>

interface EntryWords {
  readonly title: string
  readonly details: string
  readonly lines: readonly Line[]
}

type Words<Kind extends AuditKindName> = (facts: AuditFacts[Kind], row: EntryRow) => EntryWords

export function entryWords(row: EntryRow): EntryWords {
  const facts = JSON.parse(row.facts) as Readonly<Record<string, unknown>>
  const words = ownProperty(wordsOf, row.kind) as ((facts: unknown, row: EntryRow) => EntryWords) | undefined
  if (words !== undefined) return words(facts, row)
  const lines = Object.entries(facts).map(([label, value]) => text(label, String(value)))
  return { title: row.kind, details: '', lines }
}

const text = (label: string, value: string): Line => ({ label, value, as: 'text' })
const mono = (label: string, value: string): Line => ({ label, value, as: 'mono' })
const time = (label: string, value: string): Line => ({ label, value, as: 'time' })

const endWords: Readonly<Record<string, string>> = {
  'ended-by-owner': 'ended under Security',
  'ended-by-admin': 'an administrator ended it',
  'too-many': 'replaced by a sixth sign-in',
  idle: 'not used for too long',
  absolute: 'maximum session length reached',
  refused: 'its tokens were refused',
  unfinished: 'the sign-in was not finished',
  'back-channel': 'the identity provider ended it',
  'not-staff': 'no longer staff',
  'identity-changed': 'the identity provider renewed it for another person',
  'rule-changed': 'the staff configuration changed',
  'changed-in-store': 'its person was altered in the database',
}

const refusedWords: Readonly<Record<string, string>> = {
  wrong: 'wrong password',
  forbidden: 'the service does not permit the account to sign in',
  locked: 'the service has locked the account',
  'not-staff': 'not staff',
  'groups-left-out': 'too many groups for the identity provider to name',
  'sign-in-class': 'sign-in not strong enough',
  unchecked: 'staff status could not be checked',
}

const exportEnds: Readonly<Record<AuditFacts['export.history']['end'], string>> = {
  whole: 'file with all rows',
  cut: 'file with the maximum number of rows',
  left: 'cancelled: no file',
  failed: 'failed: no file',
}

/** For example `person me, kind deposit.confirm`. */
const filterWords = (filter: string): string =>
  filter === '' ? 'none' : [...new URLSearchParams(filter)].map(([name, value]) => `${name} ${value}`).join(', ')

function exported(title: string, facts: AuditFacts['export.approvals']): EntryWords {
  const { rows, filter, end } = facts
  const made = end === 'whole' || end === 'cut'
  return {
    title,
    details: made ? counted(rows, 'row') : `${counted(rows, 'row')}, no file`,
    lines: [text('Rows', formatCount(rows)), text('Filter', filterWords(filter)), text('End', exportEnds[end])],
  }
}

const exportedFile = (title: string, { rows, file }: AuditFacts['export.statement']): EntryWords => ({
  title,
  details: counted(rows, 'row'),
  lines: [text('Rows', formatCount(rows)), text('File', file)],
})

const rejectedWords: Readonly<Record<string, string>> = {
  'not-theirs': 'not their passkey',
  'the-one-removed': 'the passkey being removed',
  'not-asked': 'expired, already used, or for another change',
  'not-verified': 'signature not valid',
}

const notToDecideWords: Readonly<Record<string, string>> = {
  author: 'their own change',
  party: 'a party to the change',
  entered: 'entered data of the change',
  scope: 'a scope is missing',
  'unknown-person': 'the account has no known user id',
}

const withCode = (title: string, change: string, details: string, ...more: readonly Line[]): EntryWords => ({
  title,
  details,
  lines: [text('Change', ownProperty(kindWords, change) ?? change), ...more],
})

const ofView = (
  verb: string,
  { view, table }: AuditFacts['view.share'],
  details: string,
  ...more: readonly Line[]
): EntryWords => ({
  title: `${verb} “${view}”`,
  details,
  lines: [text('View', view), text('Table', table), ...more],
})

const wordsOf: { readonly [Kind in AuditKindName]: Words<Kind> } = {
  'session.sign-in': ({ browser }, { method }) => ({
    title: method === null ? 'Signed in' : `Signed in by ${methodWords[method]}`,
    details: browser,
    lines: [text('Browser', browser)],
  }),
  'session.refused': ({ why }) => {
    const words = ownProperty(refusedWords, why) ?? why
    return { title: 'Sign-in refused', details: words, lines: [text('Why', words)] }
  },
  'session.sign-out': ({ startedAt }) => ({
    title: 'Signed out',
    details: '',
    lines: [time('Signed in since', startedAt)],
  }),
  'session.end': ({ why, startedAt, lastActiveAt }) => {
    const words = ownProperty(endWords, why) ?? why
    return {
      title: 'Session ended',
      details: words,
      lines: [text('Why', words), time('Signed in since', startedAt), time('Last active', lastActiveAt)],
    }
  },
  'session.end-of-other': ({ person, userId, sessions, reason }) => {
    const ended = sessions === 1 ? 'one session' : `${sessions} sessions`
    return {
      title: `Ended ${ended} of ${person}`,
      details: reason,
      lines: [text('Person', person), text('Their user id', userId), text('Ended', ended), text('Reason', reason)],
    }
  },
  'step-up.verify': ({ change, until }) => withCode('Verified with a code', change, '', time('Verified until', until)),
  'step-up.reject': ({ change, triesLeft }) =>
    withCode('Code rejected', change, '', text('Codes left in the prompt', String(triesLeft))),
  'step-up.lock': ({ change, seconds }) =>
    withCode('Code rejected, verification locked', change, `for ${seconds} s`, text('Locked for', `${seconds} s`)),
  'step-up.not-known': ({ change }) => withCode('Code sent, result not known', change, ''),
  'passkey.reject': ({ change, why }) => {
    const words = ownProperty(rejectedWords, why) ?? why
    return withCode('Passkey rejected', change, words, text('Why', words))
  },
  'approval.refuse': ({ change, why }) => {
    const words = ownProperty(notToDecideWords, why) ?? why
    return withCode('Decision refused', change, words, text('Why', words))
  },
  'export.activity': (facts) => exported(`Exported activity as ${facts.format.toUpperCase()}`, facts),
  'export.approvals': (facts) => exported('Exported approvals', facts),
  'export.cases': (facts) => exported('Exported cases', facts),
  'export.history': (facts) => {
    const words = exported('Exported the history of a user', facts)
    return { ...words, lines: [text('Rows read', formatCount(facts.read)), ...words.lines] }
  },
  'export.statement': (facts) => exportedFile('Exported the results of a statement', facts),
  'export.report': (facts) => exportedFile('Exported an end-of-day report', facts),
  'journal.check': ({ events, faults }) => {
    const more = faults < FAULTS_MAX ? '' : ' or more'
    const verdict = faults === 0 ? 'intact' : `not intact: ${formatCount(faults)}${more} wrong`
    return {
      title: 'Checked the journal',
      details: verdict,
      lines: [text('Events read', formatCount(events)), text('Result', verdict)],
    }
  },
  'policy.load': ({ policy, before, rules }) => ({
    title: policy === null ? 'Started without a policy' : 'Loaded another policy',
    details: counted(rules, 'rule'),
    lines: [mono('Policy', policy ?? 'none'), mono('Before', before ?? 'none'), text('Rules', String(rules))],
  }),
  'key.change': ({ from, to, statement }) => ({
    title: 'Changed the key of the signed log',
    details: '',
    lines: [mono('New public key', to), mono('Old public key', from), mono('Statement by the old key', statement)],
  }),
  'view.share': (facts) => ofView('Shared the view', facts, ''),
  'view.change': (facts) => ofView('Changed the shared view', facts, facts.what, text('Changed', facts.what)),
  'view.remove': (facts) => ofView('Removed the shared view', facts, '', text('Shared by', facts.owner)),
}

export const TRACE_ID = 'traceId'

/** Fields without a label are shown by name. */
const names: Readonly<Record<string, string>> = {
  [TRACE_ID]: 'Trace',
  again: 'Sent again',
  answer: 'Source',
  changed: 'Changed in the store',
  code: 'Code',
  approversHold: 'Approver’s scopes',
  approversAdminister: 'Approver’s role',
  approversPasskey: 'Approver confirms',
  approversReread: 'Before sending',
  asksToRead: 'Requested',
  reread: 'Approver',
  seenFacts: 'Fingerprint of what was read',
  approvalsGiven: 'Approvals given',
  approvalsNeeded: 'Approvals needed',
  asks: 'Reason',
  assertion: 'Confirmed with the passkey',
  askedSum: 'This change, BZD',
  decision: 'Decision',
  denial: 'Stopped',
  dismissed: 'Needs attention',
  ended: 'Ended',
  erasure: 'By the change',
  keptDays: 'Kept for, days',
  freed: 'Freed',
  holder: 'Assignee',
  late: 'Late',
  limitCount: 'Limit, changes',
  limitFrom: 'Limit counts from, BZD',
  limitSum: 'Limit, BZD',
  needs: 'Needs',
  passkey: 'Passkey',
  policyNow: 'Policy now',
  preparedUnder: 'Prepared under policy',
  recoveredBy: 'Recovered by process',
  register: 'Register entry',
  says: 'Service answer',
  shows: 'The service shows',
  status: 'HTTP status',
  usedCount: 'Used, changes',
  usedSum: 'Used, BZD',
  what: 'What',
  why: 'Why',
}

const answers: Readonly<Record<string, string>> = {
  answer: 'service response',
  'not-sent': 'nothing was sent',
  lost: 'no usable answer came',
  'session-over': 'the session had ended',
  read: 'read from the service',
  'by hand': 'recorded by a person',
}

const agreements: Readonly<Record<string, string>> = {
  agrees: 'agrees with the change',
  silent: 'does not say that it took effect',
  contradicts: 'contradicts the change',
  unreadable: 'cannot be read',
  nothing: 'has no body',
}

const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  answer: answers,
  says: agreements,
  again: { true: 'with a verified code' },
  approversAdminister: { true: 'administers this console' },
  approversPasskey: { true: 'with a passkey' },
  approversReread: { true: 'an approver reads the updates' },
  asksToRead: { true: 'an approver to read the updates', false: 'nothing more to read' },
  reread: { true: 'has read the updates' },
  dismissed: { true: 'no longer' },
  denial: {
    limit: 'over a policy limit',
    'policy-changed': 'the policy has changed',
    'effect-differs': 'altered in the database after it was prepared',
    'approval-missing': 'not approved',
    'passkey-missing': 'not confirmed with a passkey',
  },
}

export function noteWords(name: string, value: string): readonly [name: string, value: string] {
  return [ownProperty(names, name) ?? name, ownProperty(ownProperty(values, name) ?? {}, value) ?? value]
}

/** Null if it does not exist or the person may not see it. */
export async function shownEntry(session: Session, id: string) {
  const row = await (await store()).selectFrom('audit_entry').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined || !(await canViewEntry(session, row))) return null
  const { title, lines } = entryWords(row)
  const common: readonly Line[] = [
    { label: 'Kind', value: ownProperty(kindWords, row.kind) ?? row.kind, as: 'text' },
    { label: 'When', value: row.at, as: 'time' },
    { label: 'By', value: actorWords(session, row), as: 'text' },
    // Without the prefix that marks a single sign-on account.
    { label: 'User id', value: row.actor.replace(/^sso:/, ''), as: 'id' },
    ...(row.method === null ? [] : [{ label: 'Signed in by', value: methodWords[row.method], as: 'text' } as const]),
    ...(row.about === '' ? [] : [{ label: 'About', value: row.about, as: 'reference' } as const]),
  ]
  return { title, lines: [...common, ...lines], place: placeOfEntry(row, row.actor === session.actor) }
}
