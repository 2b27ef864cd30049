/** What a policy and STEP_UP_EXTRA can say about a kind. */
interface PolicyTerms {
  /** Begins a sentence about a rule. */
  readonly act: string
  /** Has an amount of money. */
  readonly amount?: true
  /** Decides between refund and release. */
  readonly decision?: true
  /** A rule may require an approval or a passkey. */
  readonly approvable?: true
  /** Messages may come after its approval: the kind has acknowledged facts. */
  readonly messages?: true
  /** STEP_UP_EXTRA may require a code. */
  readonly code?: true
}

interface KindFacts {
  readonly label: string
  /** Absent if no rule can apply: the kind brings its own second factor, or only writes the console's records. */
  readonly policy?: PolicyTerms
}

/** What browsers and `lib/config` need to know of each kind. The objects of the kinds have the rest. */
export const kindTable = {
  'deposit.confirm': {
    label: 'Confirm a deposit',
    policy: { act: 'Confirming a deposit', amount: true, approvable: true, code: true },
  },
  'deposit.hand-over': { label: 'Hand a deposit over' },
  'deposit.hand-back': { label: 'Hand a deposit back' },
  'card.issue': { label: 'Issue a card', policy: { act: 'Issuing a card', approvable: true, code: true } },
  'card.register': { label: 'Register a card' },
  'card.block': { label: 'Block a card', policy: { act: 'Blocking a card', approvable: true, code: true } },
  'terminal.register': {
    label: 'Register a terminal',
    policy: { act: 'Registering a terminal', approvable: true, code: true },
  },
  'terminal.disable': {
    label: 'Disable a terminal',
    policy: { act: 'Disabling a terminal', approvable: true, code: true },
  },
  'case.assign': { label: 'Assign a case' },
  'case.reassign-to-me': { label: 'Take over a case', policy: { act: 'Taking over a case', code: true } },
  'case.reassign': { label: 'Reassign a case' },
  'case.unassign': { label: 'Unassign a case' },
  'case.note': { label: 'Write an internal note' },
  'case.snooze': { label: 'Snooze a case' },
  'case.wake': { label: 'Wake a snoozed case' },
  'case.watch': { label: 'Watch a case' },
  'case.drop-deadline': { label: 'Take off an answer deadline' },
  'assignee.away': { label: 'Set an absence' },
  'category.save': { label: 'Save a category' },
  'category.retire': { label: 'Retire a category' },
  'category.restore': { label: 'Restore a category' },
  'snippet.save': { label: 'Save a snippet' },
  'snippet.remove': { label: 'Remove a snippet' },
  'snippet.restore': { label: 'Restore a snippet' },
  'totp.enrol': { label: 'Set up two-factor' },
  'totp.confirm': { label: 'Confirm two-factor' },
  'totp.remove': { label: 'Remove two-factor' },
  'dispute.message': { label: 'Post a message', policy: { act: 'Posting a message' } },
  'dispute.resolve': {
    label: 'Resolve a case',
    policy: { act: 'Resolving a case', amount: true, decision: true, approvable: true, messages: true, code: true },
  },
  'transaction.resolve': {
    label: 'Resolve a dispute that has no case',
    policy: { act: 'Resolving a dispute that has no case', amount: true, decision: true, approvable: true, code: true },
  },
  'deposit.settle': {
    label: 'Settle a deposit by hand',
    policy: { act: 'Settling a deposit by hand', amount: true, approvable: true, code: true },
  },
  'dispute.settle': {
    label: 'Settle a decision by hand',
    policy: { act: 'Settling a decision by hand', amount: true, decision: true, approvable: true, code: true },
  },
  'statement.import': { label: 'Import a statement' },
  'statement.discard': { label: 'Discard a statement' },
  'statement.restore': { label: 'Restore a statement' },
  'statement.edit-line': { label: 'Edit a line of a statement' },
  'passkey.add': { label: 'Add a passkey' },
  'passkey.remove': { label: 'Remove a passkey' },
  'access.refused': { label: 'Refused: no permission' },
  'evidence.export': { label: 'Export evidence' },
  'change.erase': {
    label: 'Erase the text of a change',
    policy: { act: 'Erasing the text of a change', approvable: true },
  },
} as const satisfies Readonly<Record<string, KindFacts>>

export type CommandKindName = keyof typeof kindTable

export const commandKinds = Object.keys(kindTable) as readonly CommandKindName[]

export const policyTermsOf = (kind: CommandKindName): PolicyTerms | undefined => {
  const facts: KindFacts = kindTable[kind]
  return facts.policy
}

export type PolicyKind = {
  [Kind in CommandKindName]: (typeof kindTable)[Kind] extends { readonly policy: PolicyTerms } ? Kind : never
}[CommandKindName]

export const policyKinds = commandKinds.filter((kind): kind is PolicyKind => policyTermsOf(kind) !== undefined)

export const stepUpExtraKinds = policyKinds.filter((kind) => policyTermsOf(kind)?.code)
