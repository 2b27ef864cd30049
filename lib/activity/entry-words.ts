import 'server-only'
import type { Selectable } from 'kysely'
import { canViewEntry } from '#lib/commands/access.ts'
import type { Line, Place } from '#lib/commands/command.ts'
import { actorWords } from '#lib/commands/view.ts'
import type { AuditKindName } from '#lib/session/audit-kinds.ts'
import type { AuditFacts } from '#lib/session/audit-trail.ts'
import type { Session } from '#lib/session/session.ts'
import type { AuditEntryTable } from '#lib/store/journal-tables.ts'
import { store } from '#lib/store/store.ts'
import { ownProperty } from '#lib/values/words.ts'
import { placeOfEntry } from './command-place.ts'
import { kindWords, methodWords } from './kind-words.ts'

export type EntryRow = Selectable<AuditEntryTable>

interface EntryWords {
  readonly title: string
  readonly told: string
  readonly lines: readonly Line[]
}

type Words<Kind extends AuditKindName> = (facts: AuditFacts[Kind], row: EntryRow) => EntryWords

/** An unknown kind shows its raw facts. */
export function entryWords(row: EntryRow): EntryWords {
  const facts = JSON.parse(row.facts) as Readonly<Record<string, unknown>>
  const words = ownProperty(wordsOf, row.kind) as ((facts: unknown, row: EntryRow) => EntryWords) | undefined
  if (words !== undefined) return words(facts, row)
  const lines = Object.entries(facts).map(([label, value]) => text(label, String(value)))
  return { title: row.kind, told: '', lines }
}

const text = (label: string, value: string): Line => ({ label, value, as: 'text' })
const time = (label: string, value: string): Line => ({ label, value, as: 'time' })

const countOf = (rows: number): string => `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`

const endWords: Readonly<Record<string, string>> = {
  'ended-by-owner': 'ended under Security',
  'ended-by-admin': 'an administrator ended it',
  'too-many': 'a sixth sign-in took its place',
  idle: 'not used for too long',
  absolute: 'its time was over',
  refused: 'its tokens were refused for good',
  'back-channel': 'the identity provider ended it',
  'not-staff': 'no longer staff',
  'identity-changed': 'the identity provider answered its renewal for somebody else',
  'rule-changed': 'who is staff is configured in another way',
  'changed-in-store': 'its person was changed in the store',
}

const refusedWords: Readonly<Record<string, string>> = {
  wrong: 'wrong password',
  forbidden: 'the service does not permit the account to sign in',
  locked: 'the service has locked the account',
  'not-staff': 'not staff',
  'sign-in-class': 'not signed in as this console asks for',
  unchecked: 'whether they are staff could not be checked',
}

const exportEnds: Readonly<Record<AuditFacts['export.history']['end'], string>> = {
  whole: 'a file with all of them',
  cut: 'a file with as many as one file takes',
  left: 'given up by the browser: no file was made',
  failed: 'broken off by a problem: no file was made',
}

/** For example `person me, kind deposit.confirm`. */
const filterWords = (filter: string): string =>
  filter === '' ? 'none' : [...new URLSearchParams(filter)].map(([name, value]) => `${name} ${value}`).join(', ')

function exported(title: string, facts: AuditFacts['export.activity'] | AuditFacts['export.history']): EntryWords {
  const { rows, filter, end } = facts
  const made = end === 'whole' || end === 'cut'
  return {
    title,
    told: made ? countOf(rows) : `${countOf(rows)}, no file`,
    lines: [
      text('Rows', rows.toLocaleString('en-US')),
      text('Filter', filterWords(filter)),
      text('End', exportEnds[end]),
    ],
  }
}

const rejectedWords: Readonly<Record<string, string>> = {
  'not-theirs': 'it is not theirs',
  'the-one-removed': 'it is the one that is removed',
  'not-asked': 'late, used already, or for another change',
  'not-verified': 'the signature is not right',
}

const notToDecideWords: Readonly<Record<string, string>> = {
  author: 'their own change',
  party: 'they are a party of it',
  entered: 'they entered what it is made of',
  scope: 'they lack a scope for it',
  'unknown-person': 'the account has no known user id',
}

const withCode = (title: string, change: string, told: string, ...more: readonly Line[]): EntryWords => ({
  title,
  told,
  lines: [text('Asked for by', ownProperty(kindWords, change) ?? change), ...more],
})

const ofView = (verb: string, { view, table }: AuditFacts['view.share'], told = ''): EntryWords => ({
  title: `${verb} “${view}”`,
  told,
  lines: [text('View', view), text('Table', table)],
})

const wordsOf: { readonly [Kind in AuditKindName]: Words<Kind> } = {
  'session.sign-in': ({ browser }, { method }) => ({
    title: method === null ? 'Signed in' : `Signed in by ${methodWords[method]}`,
    told: browser,
    lines: [text('Browser', browser)],
  }),
  'session.refused': ({ why }) => {
    const words = ownProperty(refusedWords, why) ?? why
    return { title: 'Sign-in refused', told: words, lines: [text('Why', words)] }
  },
  'session.sign-out': ({ startedAt }) => ({
    title: 'Signed out',
    told: '',
    lines: [time('Signed in since', startedAt)],
  }),
  'session.end': ({ why, startedAt, lastActiveAt }) => {
    const words = ownProperty(endWords, why) ?? why
    return {
      title: 'Session ended',
      told: words,
      lines: [text('Why', words), time('Signed in since', startedAt), time('Last active', lastActiveAt)],
    }
  },
  'session.end-of-other': ({ person, userId, sessions, reason }) => {
    const ended = sessions === 1 ? 'one session' : `${sessions} sessions`
    return {
      title: `Ended ${ended} of ${person}`,
      told: reason,
      lines: [text('Whose', person), text('Their user id', userId), text('Ended', ended), text('Reason', reason)],
    }
  },
  'step-up.verify': ({ change, until }) => withCode('Verified with a code', change, '', time('Verified until', until)),
  'step-up.reject': ({ change, triesLeft }) =>
    withCode('Code rejected', change, '', text('Codes left in the prompt', String(triesLeft))),
  'step-up.lock': ({ change, seconds }) =>
    withCode('Code rejected, verification locked', change, `for ${seconds} s`, text('Locked for', `${seconds} s`)),
  'step-up.not-known': ({ change }) => withCode('Code sent, not known whether accepted', change, ''),
  'passkey.reject': ({ change, why }) =>
    withCode(
      'Passkey rejected',
      change,
      ownProperty(rejectedWords, why) ?? why,
      text('Why', ownProperty(rejectedWords, why) ?? why),
    ),
  'approval.refuse': ({ change, why }) => {
    const words = ownProperty(notToDecideWords, why) ?? why
    const lines = [text('Change', ownProperty(kindWords, change) ?? change), text('Why', words)]
    return { title: 'Decision refused', told: words, lines }
  },
  'export.activity': (facts) => exported(`Exported activity as ${facts.format.toUpperCase()}`, facts),
  'export.history': (facts) => {
    const words = exported('Exported the history of a user', facts)
    return { ...words, lines: [text('Rows read', facts.read.toLocaleString('en-US')), ...words.lines] }
  },
  'export.statement': ({ rows, file }) => ({
    title: 'Exported the results of a statement',
    told: countOf(rows),
    lines: [text('Rows', rows.toLocaleString('en-US')), text('File', file)],
  }),
  'journal.check': ({ events, faults }) => {
    const came = faults === 0 ? 'whole' : `not whole: ${faults.toLocaleString('en-US')} wrong`
    return {
      title: 'Checked the journal',
      told: came,
      lines: [text('Events read', events.toLocaleString('en-US')), text('Came to', came)],
    }
  },
  'view.share': (facts) => ofView('Shared the view', facts),
  'view.change': (facts) => {
    const words = ofView('Changed the shared view', facts, facts.what)
    return { ...words, lines: [...words.lines, text('Changed', facts.what)] }
  },
  'view.remove': (facts) => {
    const words = ofView('Removed the shared view', facts)
    return { ...words, lines: [...words.lines, text('Shared by', facts.owner)] }
  },
}

export const TRACE_ID = 'traceId'

/** Fields without a label are shown by name. */
const names: Readonly<Record<string, string>> = {
  [TRACE_ID]: 'Trace',
  again: 'Sent again',
  answer: 'How it is known',
  changed: 'Changed in the store',
  code: 'Code',
  approversHold: 'Who approves holds as well',
  approversAdminister: 'Who approves',
  approversPasskey: 'Who approves is there',
  approvalsGiven: 'Approvals given',
  approvalsNeeded: 'Approvals needed',
  asks: 'Wanted because',
  assertion: 'Confirmed with the passkey',
  askedSum: 'This one, BZD',
  decision: 'Decision',
  denial: 'Stopped',
  dismissed: 'Needs attention',
  ended: 'Ended',
  freed: 'Freed',
  holder: 'Assignee',
  late: 'Late',
  limitCount: 'Limit, changes',
  limitFrom: 'Limit of those from, BZD',
  limitSum: 'Limit, BZD',
  needs: 'Needs',
  passkey: 'Passkey',
  policyNow: 'Policy now',
  preparedUnder: 'Prepared under policy',
  recoveredBy: 'Noticed by process',
  register: 'Entry in the register',
  says: 'Its answer',
  shows: 'The service shows',
  status: 'HTTP status',
  usedCount: 'Used, changes',
  usedSum: 'Used, BZD',
  what: 'What',
  why: 'Why',
}

const answers: Readonly<Record<string, string>> = {
  answer: 'the service answered',
  'not-sent': 'nothing was sent',
  lost: 'no usable answer came',
  'session-over': 'the session was over',
  read: 'read from the service',
  'by hand': 'said by a person',
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
  dismissed: { true: 'no longer' },
  denial: {
    limit: 'beyond a limit of the policy',
    'policy-changed': 'the policy has changed',
    'effect-differs': 'it was changed in the store after it was prepared',
    'approval-missing': 'it has not been approved',
    'passkey-missing': 'its author was not there with a passkey',
  },
}

export function noteWords(name: string, value: string): readonly [name: string, value: string] {
  return [ownProperty(names, name) ?? name, ownProperty(ownProperty(values, name) ?? {}, value) ?? value]
}

interface ShownEntry {
  readonly title: string
  readonly lines: readonly Line[]
  readonly place: Place | null
}

/** Null if it does not exist or the person may not see it. */
export async function shownEntry(session: Session, id: string): Promise<ShownEntry | null> {
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
