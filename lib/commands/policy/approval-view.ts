import 'server-only'
import { type Refusal, refusalProblem, refusedBy } from '#lib/authorization/judge.ts'
import type { Rule } from '#lib/authorization/table.ts'
import { canView, canViewKind, kindsSeenOfOthers, ruleOfChange } from '#lib/commands/access.ts'
import type { ChangedFacts, CommandView, DecisionRefusalReason, Line, WaitingApprovals } from '#lib/commands/command.ts'
import { commandNamed, isParty, renderText, textOf } from '#lib/commands/kind.ts'
import { changedFactsOf, compareFacts, endMoved, readFactsAgain } from '#lib/commands/prepare.ts'
import { type CommandRow, factsOf, paramsOf } from '#lib/commands/row.ts'
import { findCommand } from '#lib/commands/store.ts'
import { viewFor } from '#lib/commands/view.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { genuineBodies } from '#lib/journal/event.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { isUuid } from '#lib/values/ids.ts'
import {
  type ApprovalRequest,
  askForReread,
  asksToRead,
  findApprovals,
  findAwaiting,
  findEndedUnsent,
  findRequest,
} from './approval-table.ts'
import { effectDigest, type Moved, readMoved } from './limits.ts'
import { findPasskeys } from './passkey-table.ts'
import { needSentence } from './rule-words.ts'

export interface ApprovalView {
  readonly command: CommandView
  readonly effect: string
  readonly request: ApprovalRequest
  readonly need: string
  readonly given: number
  readonly hasPasskey: boolean
  readonly lines: readonly Line[]
  readonly consequence: string
  readonly facts: readonly Line[]
  readonly moved: readonly Moved[]
  /** Why the reader cannot decide, apart from an earlier decision. */
  readonly whyNot: string | null
  readonly hasDecided: boolean
}

/** Null if the person may not see the change; `not-asked` if no approval was requested. */
export async function readApproval(session: Session, id: string): Promise<ApprovalView | 'not-asked' | null> {
  const db = await store()
  const row = await findCommand(db, id)
  if (row === undefined || row.effect === null || !(await canView(session, row))) return null
  const [request, kind] = [await findRequest(db, id), commandNamed(row.kind)]
  if (request === null || kind === undefined) return 'not-asked'
  const facts = factsOf(row)
  const seen = row.actor === session.actor ? null : await kindsSeenOfOthers(session)
  const { lines, consequence } = textOf(row) ?? renderText(kind, paramsOf(row), facts)
  return {
    command: viewFor(session, row),
    // Binds the decision to the displayed values, even if the row changes later.
    effect: effectDigest(row),
    request,
    need: needSentence(request),
    given: (await findApprovals(db, id)).filter(({ approves }) => approves).length,
    hasPasskey: (await findPasskeys(db, session.actor)).length > 0,
    lines,
    consequence,
    facts: kind.factLines(facts),
    moved: (await readMoved(db, row.actor)).filter(({ kind }) => seen === null || seen.includes(kind)),
    whyNot: await whyNotNow(session, row),
    hasDecided: await hasDecided(session, id),
  }
}

async function whyNotNow(session: Session, row: CommandRow): Promise<string | null> {
  if (row.state !== 'awaiting_approval') return 'It no longer waits for a decision.'
  return (await refusalToDecide(session, row))?.problem.title ?? null
}

export type FactsNow =
  | {
      readonly ok: true
      readonly lines: readonly Line[]
      readonly moved: ReturnType<typeof compareFacts>
      readonly changedFacts: ChangedFacts
      /** Approved, and an approver must read the changed facts before it is sent. */
      readonly isToBeRead: boolean
    }
  | { readonly ok: false; readonly problem: Problem }

/** Ends the request if the facts void it. */
export async function readFactsNow(session: Session, id: string): Promise<FactsNow | null> {
  const row = await findCommand(await store(), id)
  const kind = row && commandNamed(row.kind)
  if (row === undefined || kind === undefined || !(await canView(session, row))) return null
  const facts = await readFactsAgain(session, kind, row)
  if (!facts.ok) return facts
  const [moved, changedFacts] = [compareFacts(kind, row, facts.value), changedFactsOf(kind, row, facts.value)]
  if (moved === 'void' && row.state === 'awaiting_approval') await endMoved(row, facts.value, { handled: false })
  const mark = moved === 'changed' ? changedFacts.mark : null
  const isToBeRead = moved !== 'void' && (await askForReread(await store(), row, mark))
  return { ok: true, lines: kind.factLines(facts.value), moved, changedFacts, isToBeRead }
}

/** What the kind tells approvers beside the facts. Null if it could not be read. */
export async function readBackground(session: Session, id: string): Promise<readonly Line[] | null> {
  const row = await findCommand(await store(), id)
  const kind = row && commandNamed(row.kind)
  if (row === undefined || kind?.background === undefined || !(await canView(session, row))) return []
  return await kind.background(session, paramsOf(row))
}

const DAY_MS = 86_400_000

export async function waitingApprovals(session: Session): Promise<WaitingApprovals> {
  const db = await store()
  const since = new Date(Date.now() - DAY_MS).toISOString()
  const [rows, ended] = await Promise.all([findAwaiting(db), findEndedUnsent(db, session.actor, since)])
  const toDecide: CommandRow[] = []
  for (const row of rows) if (await waitsFor(session, row)) toDecide.push(row)
  const own = rows.filter(({ actor }) => actor === session.actor)
  const shown = (row: CommandRow) => viewFor(session, row)
  return { toDecide: toDecide.map(shown), own: own.map(shown), endedUnsent: ended.map(shown) }
}

async function waitsFor(session: Session, row: CommandRow): Promise<boolean> {
  if (row.actor === session.actor) return false
  if (!asksToRead(row) && (await hasDecided(session, row.id))) return false
  return (await refusalToDecide(session, row)) === null
}

const hasDecided = async ({ actor }: Session, id: string): Promise<boolean> =>
  (await findApprovals(await store(), id)).some((decided) => decided.actor === actor)

export interface DecisionRefusal {
  readonly why: DecisionRefusalReason
  readonly problem: Problem
  readonly refusal: Refusal | null
  /** The answer must not reveal that the change exists. */
  readonly unseen?: true
}

const not = (why: DecisionRefusalReason, title: string): DecisionRefusal => ({
  why,
  problem: problemOf('service', { status: 403, title }),
  refusal: null,
})

const unseen = (): DecisionRefusal => ({ ...not('scope', 'You cannot see this change.'), unseen: true })

/** Without the service's user id, two accounts of one person look like two people. */
export const isKnownPerson = ({ userId }: Pick<Session, 'userId'>): boolean => isUuid(userId)

export async function refusalToDecide(session: Session, row: CommandRow): Promise<DecisionRefusal | null> {
  if (row.actor === session.actor) return not('author', 'This is your own change. Someone else must decide.')
  if (!isKnownPerson(session)) return not('unknown-person', 'This account has no known user id, so it cannot decide.')
  if (!(await canViewKind(session, row))) return unseen()
  const db = await store()
  const request = await findRequest(db, row.id)
  const held: Rule[] = [ruleOfChange(row).change, ...(request?.scopes ?? []).map((scope) => [scope] as const)]
  if (request?.administers) held.push('administration')
  for (const rule of held) {
    const refusal = await refusedBy(session, rule)
    if (refusal !== null) return { why: 'scope', problem: refusalProblem(refusal), refusal }
  }
  const kind = commandNamed(row.kind)
  const [params, facts] = [paramsOf(row), factsOf(row)]
  if (isParty(kind, params, facts, session)) {
    return not('party', 'You are a party to this change. Someone else must decide.')
  }
  if (!(await canView(session, row))) return unseen()
  const enteredNow = (await kind?.enteredBy?.(db, params)) ?? []
  const enteredThen = (await genuineBodies(db, row.id)).flatMap(({ enteredBy }) => (enteredBy ?? []) as string[])
  if ([...enteredNow, ...enteredThen].includes(session.actor)) {
    return not('entered', 'You entered data of this change. Someone else must decide.')
  }
  return null
}
