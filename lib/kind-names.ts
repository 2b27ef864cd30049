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
 * Kinds for which a deployment may require a code although the service does not. Excludes two-factor kinds, which carry
 * their own code, frequent messages, and local records.
 */
export const stepUpExtraKinds = commandKinds.filter(
  (kind) => !/^(totp|passkey|statement|snippet|access)\./.test(kind) && kind !== 'dispute.message',
)

/** Excludes two-factor kinds and local records. */
export type PolicyKind = Exclude<
  CommandKindName,
  `${'totp' | 'passkey' | 'statement' | 'snippet' | 'access'}.${string}`
>

export const policyKinds = commandKinds.filter(
  (kind): kind is PolicyKind => !/^(totp|passkey|statement|snippet|access)\./.test(kind),
)

/** Kinds for which a policy may require approval or a passkey; each has a confirmation dialog. */
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

export const kindsWithAmount = [
  'deposit.confirm',
  'dispute.resolve',
  'transaction.resolve',
  'deposit.settle',
  'dispute.settle',
] as const

export const decidedKinds = ['dispute.resolve', 'transaction.resolve', 'dispute.settle'] as const

/** The policy kind for the manual settlement of a change; null if policies have none. */
export function settledAs(kind: string): CommandKindName | null {
  if (kind === 'deposit.confirm') return 'deposit.settle'
  return kind === 'dispute.resolve' || kind === 'transaction.resolve' ? 'dispute.settle' : null
}
