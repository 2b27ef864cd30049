import type { Scope } from '#lib/contract/scopes.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { AuditKindName } from '#lib/session/audit-kinds.ts'

/**
 * Who may read and write what is the console's own: its store, which the service cannot guard. The service guards its own
 * data, so what is read from it with the person's token stands here only where the console adds something.
 *
 * A list of scopes means: one of them, known for certain. Scopes that could not be read are no scopes. `own`: everybody
 * who is signed in, what is theirs and nothing else.
 * `administration`: who administers, as `STAFF_ADMIN_CLAIM` and `STAFF_ADMIN_SCOPES` say; no scope of the service by itself.
 */
export type Rule = 'own' | 'administration' | readonly [Scope, ...Scope[]]

const CONFIRM = ['core:transactions:confirm'] as const
/** Parties of a case hold the scope of messages too: `case-access.ts` tells them apart, for reading and for writing. */
const WORK_ON_CASES = ['core:disputes:message', 'core:disputes:resolve'] as const

/** Whoever settles what others have a part in. */
const SETTLE = ['core:transactions:confirm', 'core:disputes:resolve'] as const

export const things = {
  /** Bank statements, their lines, and the runs that confirm these: names and accounts of payers. */
  statements: { read: CONFIRM, write: CONFIRM },
  /** Everybody's confirmed deposits; without the scope, a person's own. Written by `deposit.confirm`. */
  confirmedDeposits: { read: CONFIRM },
  /** The register of issued cards. Written by `card.issue`, `card.register` and `card.block`. */
  register: { read: ['core:cards:create', 'core:cards:manage'] },
  /**
   * Of a case: who has it, who looks at it, internal notes, and of its thread who wrote when. Written by the kinds `case.*`,
   * and by looking; what of a thread a person has seen is theirs alone.
   */
  caseWorkspace: { read: WORK_ON_CASES, write: WORK_ON_CASES },
  /** The list of those to whom a case can be assigned: who gets onto it can decide a case. Read on its page and in the queue. */
  assignable: { read: WORK_ON_CASES, write: ['core:disputes:resolve'] },
  /** Texts that staff share for messages, notes and reasons. Written by the kinds `snippet.*`. */
  snippets: { read: WORK_ON_CASES, write: ['core:disputes:resolve'] },
  /** What the index of cases tells: earlier cases of a party, the case of a transaction. To whom the service shows everybody's. */
  caseIndex: { read: WORK_ON_CASES },
  /** The check of the journal's chain, and what came of it: how many events there are, and of which commands. */
  journalCheck: { read: SETTLE, write: SETTLE },
  /** Files made of what the service itself shows. */
  exports: { read: ['core:transactions:read'] },
  preferences: { read: 'own', write: 'own' },
  /** What somebody looked at lately, and pinned. */
  recentThings: { read: 'own', write: 'own' },
  /** Of tables: a person's own, and those that are shared, by {@link sharedViews}. */
  savedViews: { write: 'own' },
  unsentText: { read: 'own', write: 'own' },
  sessions: { read: 'own', write: 'own' },
  /** Their name, and when they were used. A passkey is removed by the kind `passkey.remove`. */
  passkeys: { read: 'own', write: 'own' },
  /** Who is signed in, since when and from where; writing is ending. */
  othersSessions: { read: 'administration', write: 'administration' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<'read' | 'write', Rule>>>>>

/** Tables of which views can be saved. */
export const viewedTables = [
  'account-history',
  'changes',
  'confirmed-deposits',
  'dispute-queue',
  'issued-cards',
  'merchant-terminals',
  'signed-in',
  'statement-lines',
] as const

export type ViewedTable = (typeof viewedTables)[number]

interface SharedViewRule {
  /** Who sees the table, and with it views that are shared: `own` stands for everybody who is signed in. */
  readonly read: Rule
  /** Who changes and removes those that somebody else shared; null: nobody. */
  readonly others: readonly [Scope, ...Scope[]] | null
}

export const sharedViews: Readonly<Record<ViewedTable, SharedViewRule>> = {
  'account-history': { read: 'own', others: CONFIRM },
  changes: { read: 'own', others: null },
  'confirmed-deposits': { read: 'own', others: CONFIRM },
  'dispute-queue': { read: 'own', others: ['core:disputes:resolve'] },
  'issued-cards': { read: ['core:cards:create', 'core:cards:manage'], others: ['core:cards:manage'] },
  'merchant-terminals': { read: 'own', others: ['core:merchant_terminals:disable'] },
  'signed-in': { read: 'administration', others: null },
  'statement-lines': { read: CONFIRM, others: CONFIRM },
}

/** Who removes any shared view of a table that they see, beside those whom {@link sharedViews} names. */
export const removesSharedViews: Rule = 'administration'

/** Who may do what with changes of one kind. Everybody sees the changes that they made themselves. */
export interface ChangeRule {
  /**
   * The scope of the change itself: who makes one, and who settles one by hand. For a change that the service makes it is
   * the scope of its endpoint; where scopes could not be read, the service decides. The console's own need it known.
   */
  readonly change: Rule
  /** Who sees those of others, with all their facts; `own`: nobody. Who may read its effect may watch it as well. */
  readonly others: Rule
  readonly madeBy: 'service' | 'console'
}

const service = (change: Rule, others: Rule = change): ChangeRule => ({ change, others, madeBy: 'service' })
const ofConsole = (change: Rule, others: Rule = change): ChangeRule => ({ change, others, madeBy: 'console' })

export const changes: Readonly<Record<CommandKindName, ChangeRule>> = {
  'deposit.confirm': service(CONFIRM),
  'card.issue': service(['core:cards:create']),
  'card.register': ofConsole(['core:cards:create']),
  'card.block': service(['core:cards:manage']),
  'terminal.register': service(['core:merchant_terminals:create']),
  'terminal.disable': service(['core:merchant_terminals:disable']),
  'case.assign': ofConsole(WORK_ON_CASES, ['core:disputes:resolve']),
  'case.reassign-to-me': ofConsole(WORK_ON_CASES, ['core:disputes:resolve']),
  'case.reassign': ofConsole(WORK_ON_CASES, ['core:disputes:resolve']),
  'case.unassign': ofConsole(WORK_ON_CASES, ['core:disputes:resolve']),
  'case.note': ofConsole(WORK_ON_CASES, 'own'),
  'case.snooze': ofConsole(WORK_ON_CASES, ['core:disputes:resolve']),
  'case.wake': ofConsole(WORK_ON_CASES, ['core:disputes:resolve']),
  'snippet.save': ofConsole(['core:disputes:resolve']),
  'snippet.remove': ofConsole(['core:disputes:resolve']),
  'snippet.restore': ofConsole(['core:disputes:resolve']),
  'dispute.message': service(['core:disputes:message'], ['core:disputes:resolve']),
  'dispute.resolve': service(['core:disputes:resolve']),
  'transaction.resolve': service(['core:disputes:resolve']),
  /** As the changes that they settle. */
  'deposit.settle': ofConsole(CONFIRM),
  'dispute.settle': ofConsole(['core:disputes:resolve']),
  'statement.import': ofConsole(CONFIRM),
  'statement.discard': ofConsole(CONFIRM),
  'statement.restore': ofConsole(CONFIRM),
  'statement.edit-line': ofConsole(CONFIRM),
  /** What somebody tried to change and was refused. In the journal, for who reads that. */
  'access.refused': ofConsole('own'),
  'totp.enrol': service('own'),
  'totp.confirm': service('own'),
  'totp.remove': service('own'),
  /** A person's own; who administers may approve that one is removed. */
  'passkey.add': ofConsole('own'),
  'passkey.remove': ofConsole('own', 'administration'),
}

/** A person who holds both answers for everybody's work: what moves money, and what decides about it. */
export const OVERSIGHT = ['core:transactions:confirm', 'core:disputes:resolve'] as const

/**
 * Who sees what others did beside changes; everybody sees what they did themselves. `oversight`: who is known to hold every
 * scope of {@link OVERSIGHT}. When and how colleagues sign in is nothing that one scope opens.
 */
export const auditRules: Readonly<Record<AuditKindName, Rule | 'oversight'>> = {
  'session.sign-in': 'oversight',
  'session.refused': 'oversight',
  'session.sign-out': 'oversight',
  'session.end': 'oversight',
  'session.end-of-other': 'oversight',
  'step-up.verify': 'oversight',
  'step-up.reject': 'oversight',
  'step-up.lock': 'oversight',
  'step-up.not-known': 'oversight',
  'passkey.reject': 'oversight',
  'approval.refuse': 'oversight',
  'export.activity': 'oversight',
  'export.history': 'oversight',
  /** As all that is done with statements. */
  'export.statement': CONFIRM,
  /** As what came of it. */
  'journal.check': SETTLE,
  'view.share': 'oversight',
  'view.change': 'oversight',
  'view.remove': 'oversight',
}
