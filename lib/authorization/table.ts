import type { Scope } from '#lib/contract/scopes.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { AuditKindName } from '#lib/session/audit-kinds.ts'

/** A list: the person holds one of these scopes; unreadable ones count as none. `own`: for their own records. */
export type Rule = 'own' | 'administration' | readonly [Scope, ...Scope[]]

const CONFIRM = ['core:transactions:confirm'] as const
/** Parties of a case hold the message scope too; `case-people.ts` excludes them. */
const WORK_ON_CASES = ['core:disputes:message', 'core:disputes:resolve'] as const

const SETTLE = ['core:transactions:confirm', 'core:disputes:resolve'] as const

export const things = {
  /** Names and accounts of payers. */
  statements: { read: CONFIRM, write: CONFIRM },
  /** Other people's deposits; everyone sees their own. */
  confirmedDeposits: { read: CONFIRM },
  register: { read: ['core:cards:create', 'core:cards:manage'] },
  /** Assignee, viewers, internal notes, message times. */
  caseWorkspace: { read: WORK_ON_CASES, write: WORK_ON_CASES },
  /** People who can be assigned a case, and can then decide it. */
  assignable: { read: WORK_ON_CASES, write: ['core:disputes:resolve'] },
  othersAbsence: { write: 'administration' },
  categories: { read: WORK_ON_CASES, write: ['core:disputes:resolve'] },
  snippets: { read: WORK_ON_CASES, write: ['core:disputes:resolve'] },
  caseIndex: { read: WORK_ON_CASES },
  /** Amounts of disputed transactions, as other people read them. */
  caseAmounts: { read: ['core:transactions:read'] },
  /** Reasons and authors of earlier decisions. */
  decisions: { read: ['core:disputes:resolve'] },
  /** Reveals the number of events. */
  journalCheck: { read: SETTLE, write: SETTLE },
  exports: { read: ['core:transactions:read'] },
  preferences: { read: 'own', write: 'own' },
  recentThings: { read: 'own', write: 'own' },
  savedViews: { write: 'own' },
  unsentText: { read: 'own', write: 'own' },
  sessions: { read: 'own', write: 'own' },
  passkeys: { read: 'own', write: 'own' },
  othersSessions: { read: 'administration', write: 'administration' },
  policyRehearsal: { read: 'administration' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<'read' | 'write', Rule>>>>>

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
  readonly read: Rule
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

export const removesSharedViews: Rule = 'administration'

/** Authors always see their own changes. */
export interface ChangeRule {
  /** If scopes are unreadable, the service decides about its own changes; the console's are refused. */
  readonly change: Rule
  /** For other people's changes, with all facts. */
  readonly others: Rule
  readonly madeBy: 'service' | 'console'
}

const service = (change: Rule, others: Rule = change): ChangeRule => ({ change, others, madeBy: 'service' })
const ofConsole = (change: Rule, others: Rule = change): ChangeRule => ({ change, others, madeBy: 'console' })

export const changes: Readonly<Record<CommandKindName, ChangeRule>> = {
  'deposit.confirm': service(CONFIRM),
  'deposit.hand-over': ofConsole(CONFIRM),
  'deposit.hand-back': ofConsole(CONFIRM),
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
  'case.watch': ofConsole(WORK_ON_CASES, ['core:disputes:resolve']),
  'case.drop-deadline': ofConsole(WORK_ON_CASES, ['core:disputes:resolve']),
  'assignee.away': ofConsole(['core:disputes:resolve']),
  'category.save': ofConsole(['core:disputes:resolve']),
  'category.retire': ofConsole(['core:disputes:resolve']),
  'category.restore': ofConsole(['core:disputes:resolve']),
  'snippet.save': ofConsole(['core:disputes:resolve']),
  'snippet.remove': ofConsole(['core:disputes:resolve']),
  'snippet.restore': ofConsole(['core:disputes:resolve']),
  'dispute.message': service(['core:disputes:message'], ['core:disputes:resolve']),
  'dispute.resolve': service(['core:disputes:resolve']),
  'transaction.resolve': service(['core:disputes:resolve']),
  'deposit.settle': ofConsole(CONFIRM),
  'dispute.settle': ofConsole(['core:disputes:resolve']),
  'statement.import': ofConsole(CONFIRM),
  'statement.discard': ofConsole(CONFIRM),
  'statement.restore': ofConsole(CONFIRM),
  'statement.edit-line': ofConsole(CONFIRM),
  'access.refused': ofConsole('own'),
  /** Its title names what it is about. */
  'evidence.export': ofConsole('own', 'administration'),
  /** An administrator approves it. Who may make a change may ask for the erasure of its text. */
  'change.erase': ofConsole('own', 'administration'),
  'totp.enrol': service('own'),
  'totp.confirm': service('own'),
  'totp.remove': service('own'),
  /** Administrators may approve a removal. */
  'passkey.add': ofConsole('own'),
  'passkey.remove': ofConsole('own', 'administration'),
}

/** Hidden from the parties of the case if others made them: they name the assignee, a note or the category. */
export const hiddenFromParties: readonly string[] = [
  ...Object.keys(changes).filter((kind) => kind.startsWith('case.')),
  ...(['dispute.resolve', 'dispute.settle', 'evidence.export', 'change.erase'] satisfies CommandKindName[]),
]

export const OVERSIGHT = ['core:transactions:confirm', 'core:disputes:resolve'] as const

/** `oversight`: holds every scope of {@link OVERSIGHT}: one alone must not reveal when colleagues sign in. */
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
  'export.approvals': 'oversight',
  'export.cases': 'oversight',
  'export.history': 'oversight',
  'export.statement': CONFIRM,
  'export.report': CONFIRM,
  'journal.check': SETTLE,
  'policy.load': 'oversight',
  'key.change': 'oversight',
  'view.share': 'oversight',
  'view.change': 'oversight',
  'view.remove': 'oversight',
}
