import 'server-only'
import type { GivenDecision, RequestRow } from '#lib/commands/command.ts'
import type { RequestFilter } from '#lib/commands/policy/approval-list.ts'
import type { Session } from '#lib/session/session.ts'
import { boundsOf } from '#lib/values/address-filter.ts'
import { amountCell, csvWriter } from '#lib/values/csv.ts'
import { ownProperty } from '#lib/values/words.ts'
import { authorWanted } from './activity.ts'
import { type ApprovalFilter, statusWords } from './approval-filter.ts'
import { kindWords } from './kind-words.ts'

export const requestsWanted = (session: Session, filter: ApprovalFilter): RequestFilter => ({
  view: filter.view,
  kind: filter.kind === '' ? null : filter.kind,
  by: authorWanted(session, filter.person),
  status: filter.outcome === '' ? null : filter.outcome,
  ...boundsOf(filter),
})

const headings = [
  ...['Requested (UTC)', 'Person', 'Kind', 'Change', 'About', 'Amount (BZD)', 'Reason', 'Request'],
  ...['Approvals needed', 'Approved by', 'Declined by', 'Decided (UTC)', 'Reasons of decisions'],
  ...['Expires (UTC)', 'Ended (UTC)', 'Outcome', 'Id'],
]

export const approvalWriter = csvWriter<RequestRow>(headings, (row) => {
  const { id, kind, title, target, actorName, amount, reason, askedAt, expiresAt, endedAt, needed, decisions } = row
  return [
    ...[askedAt, actorName, ownProperty(kindWords, kind) ?? kind, title, target, amountCell(amount), reason],
    ...[statusWords[row.status].word, String(needed)],
    ...[namesOf(decisions, true), namesOf(decisions, false)],
    decisions.at(-1)?.at ?? '',
    decisions.flatMap(({ by, reason: why }) => (why === '' ? [] : `${by}: ${why}`)).join('; '),
    ...[expiresAt, endedAt ?? '', row.outcome.class, id],
  ]
})

const namesOf = (decisions: readonly GivenDecision[], approves: boolean): string =>
  decisions.flatMap((given) => (given.approves === approves ? given.by : [])).join('; ')
