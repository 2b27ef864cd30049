import { type CommandKindName, commandKinds, kindTable } from '#lib/kind-names.ts'
import type { AuditKindName } from '#lib/session/audit-kinds.ts'

export const decisionKinds = ['approval.approve', 'approval.decline'] as const

export type DecisionKind = (typeof decisionKinds)[number]

const labels = Object.fromEntries(commandKinds.map((kind) => [kind, kindTable[kind].label])) as Readonly<
  Record<CommandKindName, string>
>

export const kindWords: Readonly<Record<CommandKindName | AuditKindName | DecisionKind, string>> = {
  ...labels,
  'session.sign-in': 'Sign in',
  'session.refused': 'Sign-in refused',
  'session.sign-out': 'Sign out',
  'session.end': 'End of a session',
  'session.end-of-other': 'End someone’s sessions',
  'step-up.verify': 'Verify with a code',
  'step-up.reject': 'Code rejected',
  'step-up.lock': 'Verification locked',
  'step-up.not-known': 'Code result not known',
  'passkey.reject': 'Passkey rejected',
  'approval.refuse': 'Decision refused',
  'approval.approve': 'Approve a change',
  'approval.decline': 'Decline a change',
  'export.activity': 'Export activity',
  'export.approvals': 'Export approvals',
  'export.cases': 'Export cases',
  'export.history': 'Export a user’s history',
  'export.statement': 'Export a statement’s results',
  'export.report': 'Export an end-of-day report',
  'journal.check': 'Check the journal',
  'policy.load': 'Load a policy',
  'key.change': 'Change the log’s key',
  'view.share': 'Share a view',
  'view.change': 'Change a shared view',
  'view.remove': 'Remove a shared view',
}

export const methodWords = { sso: 'single sign-on', password: 'password' } as const
