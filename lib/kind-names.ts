/** The kinds of change that the console makes, named `area.verb`. */
export const commandKinds = [
  'deposit.confirm',
  'card.issue',
  'card.register',
  'card.block',
  'terminal.register',
  'terminal.disable',
  'case.assign',
  'case.reassign-to-me',
  'case.reassign',
  'case.unassign',
  'case.note',
  'case.snooze',
  'case.wake',
  'snippet.save',
  'snippet.remove',
  'snippet.restore',
  'totp.enrol',
  'totp.confirm',
  'totp.remove',
  'dispute.message',
  'dispute.resolve',
  'transaction.resolve',
  'deposit.settle',
  'dispute.settle',
  'statement.import',
  'statement.discard',
  'statement.restore',
  'statement.edit-line',
  'passkey.add',
  'passkey.remove',
  'access.refused',
] as const

export type CommandKindName = (typeof commandKinds)[number]

/**
 * Kinds for which a deployment may ask for a code though the service does not. Those of the factor itself bring their own,
 * a conversation is not held with a code for every line, and what the console only writes down confirms nothing.
 */
export const stepUpExtraKinds = commandKinds.filter(
  (kind) => !/^(totp|passkey|statement|snippet|access)\./.test(kind) && kind !== 'dispute.message',
)

/** Kinds that a policy may have rules for: those that are sent, but for the factor itself. */
export type PolicyKind = Exclude<
  CommandKindName,
  `${'totp' | 'passkey' | 'statement' | 'snippet' | 'access'}.${string}`
>

export const policyKinds = commandKinds.filter(
  (kind): kind is PolicyKind => !/^(totp|passkey|statement|snippet|access)\./.test(kind),
)

/** Kinds that a policy may want approved, or a passkey for: those that a person confirms in a dialog. */
export const approvableKinds = [
  'deposit.confirm',
  'card.issue',
  'card.block',
  'terminal.register',
  'terminal.disable',
  'dispute.resolve',
  'transaction.resolve',
  'deposit.settle',
  'dispute.settle',
] as const satisfies readonly CommandKindName[]

/** Kinds that move an amount, or decide where it goes. */
export const kindsWithAmount = [
  'deposit.confirm',
  'dispute.resolve',
  'transaction.resolve',
  'deposit.settle',
  'dispute.settle',
] as const

/** Kinds that decide for one side. */
export const decidedKinds = ['dispute.resolve', 'transaction.resolve', 'dispute.settle'] as const

/** The kind by which changes of another one are settled by hand, where the policy has rules for it; null where there is none. */
export function settledAs(kind: string): CommandKindName | null {
  if (kind === 'deposit.confirm') return 'deposit.settle'
  return kind === 'dispute.resolve' || kind === 'transaction.resolve' ? 'dispute.settle' : null
}
