import type { CommandKindName } from '#lib/kind-names.ts'

/** What each kind of change is called where no single change is meant. */
export const kindWords: Readonly<Record<CommandKindName, string>> = {
  'deposit.confirm': 'Confirm a deposit',
  'card.issue': 'Issue a card',
  'card.register': 'Register a card',
  'card.block': 'Block a card',
  'terminal.register': 'Register a terminal',
  'terminal.disable': 'Disable a terminal',
  'case.assign': 'Assign a case',
  'case.reassign-to-me': 'Take over a case',
  'case.reassign': 'Reassign a case',
  'case.unassign': 'Unassign a case',
  'case.note': 'Write an internal note',
  'totp.enrol': 'Enrol in two-factor',
  'totp.confirm': 'Confirm two-factor',
  'totp.remove': 'Remove two-factor',
  'dispute.message': 'Post a message',
  'dispute.resolve': 'Decide a case',
  'transaction.resolve': 'Decide a dispute without a case',
  'statement.import': 'Import a statement',
  'statement.discard': 'Discard a statement',
  'statement.restore': 'Restore a statement',
  'statement.edit-line': 'Edit a line of a statement',
  'access.refused': 'Refused: no permission',
}
