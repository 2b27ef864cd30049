import 'server-only'
import { problemWords } from '#lib/service/problem-words.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { inTransaction } from '#lib/store/transaction.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { type CommandView, isProven, type Outcome } from './command.ts'
import type { AnyFacts } from './command-kind.ts'
import { type CommandRow, type CommandState, findCommand, moveCommand, type Note } from './command-table.ts'
import { notAsPrepared } from './policy/policy-gate.ts'
import type { AnyKind } from './registry.ts'
import { later } from './step-up.ts'
import { factsOf, kindOf, paramsOf, viewOf } from './view.ts'

export function wrongProof(row: CommandRow, typed: string | null): CommandView | null {
  const proof = kindOf(row).proof?.(paramsOf(row), factsOf(row)) ?? null
  if (proof === null || isProven(proof, typed ?? '')) return null
  return viewOf(row, {
    class: 'refused',
    sent: false,
    title: 'What was typed is not what was asked for',
    advice: `Nothing was sent. ${proof.label}.`,
    problem: null,
  })
}

/** Runs before any value of the row is used. The row lock prevents a comparison with newer events. */
export async function endIfChanged(row: CommandRow): Promise<CommandView | null> {
  const changed = await inTransaction(await store(), async (trx) => {
    const held = await trx.selectFrom('command').select('state').where('id', '=', row.id).forShare().executeTakeFirst()
    return held?.state === row.state ? await notAsPrepared(trx, row) : null
  })
  return changed === null ? null : await endUnsent(row, changed.outcome, changed.note)
}

/** Account ids may be written differently. */
export const isParty = (kind: AnyKind | undefined, params: unknown, facts: AnyFacts, { userId }: Session): boolean =>
  kind?.parties?.(params, facts).some((party) => sameAccount(party, userId)) ?? false

export const partyFault = (kind: AnyKind, params: unknown, facts: AnyFacts, session: Session) =>
  kind.refusesParties !== undefined && isParty(kind, params, facts, session) ? kind.refusesParties : null

/** Null if the facts are unchanged. If they changed, the command ends; if they cannot be read, it can be retried. */
export async function preflight(session: Session, row: CommandRow): Promise<CommandView | null> {
  const kind = kindOf(row)
  const party = partyFault(kind, paramsOf(row), factsOf(row), session)
  if (party !== null) {
    return await endUnsent(row, {
      class: 'refused',
      sent: false,
      title: party.fault,
      advice: 'Nothing was sent.',
      problem: null,
    })
  }
  const facts = await kind.readFacts(session, paramsOf(row), row.actor)
  if (!facts.ok) {
    if (row.state === 'challenged') return viewOf(row, later(facts.problem))
    const words = problemWords(facts.problem)
    return viewOf(row, {
      class: 'refused',
      sent: false,
      title: words.title,
      advice: `Nothing was sent. ${words.advice}`,
      problem: facts.problem,
    })
  }
  if (areAsShown(kind, row, facts.value)) return null
  return await endUnsent(row, {
    class: 'changed',
    before: kind.factLines(factsOf(row)),
    now: kind.factLines(facts.value),
  })
}

/** A fact that was empty in the draft may get a value. */
export function areAsShown(kind: AnyKind, row: CommandRow, now: AnyFacts): boolean {
  const shown = factsOf(row)
  const learnt = (kind.learns ?? []).filter((name) => shown[name] === '').map((name) => [name, ''])
  return JSON.stringify({ ...now, ...Object.fromEntries(learnt) }) === row.facts
}

/** If another request sent it meanwhile, returns that outcome. */
export async function endUnsent(row: CommandRow, outcome: Outcome, note: Note = {}): Promise<CommandView> {
  const db = await store()
  const state = row.state as CommandState
  const closed = await moveCommand(db, row.id, {
    from: [state],
    to: state === 'challenged' ? 'refused' : 'closed',
    outcome: JSON.stringify(outcome),
    note: { why: outcome.class, ...note },
  })
  return viewOf(closed ?? (await findCommand(db, row.id)) ?? row)
}
