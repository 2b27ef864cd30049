import 'server-only'
import { kindsSeenOfOthers } from '#lib/commands/access.ts'
import {
  countCommands,
  findAuthors,
  findCommands,
  type Place,
  placeOfCommand,
  type WantedChanges,
} from '#lib/commands/command-search.ts'
import type { CommandRow } from '#lib/commands/command-table.ts'
import { viewFor } from '#lib/commands/person-view.ts'
import { kindNamed } from '#lib/commands/registry.ts'
import { factsOf, paramsOf } from '#lib/commands/view.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { dayAfter, dayStart } from '#lib/values/day.ts'
import { Money } from '#lib/values/money.ts'
import { ANY_CHANGE, type ChangeFilter, ME } from './change-filter.ts'
import type { ChangeRow } from './change-row.ts'

export interface ChangesPage {
  readonly changes: readonly ChangeRow[]
  /** On all pages. */
  readonly total: number
}

/** One page of the changes that are wanted, as far as a person sees them, the latest first. */
export async function changesPage(
  session: Session,
  filter: ChangeFilter,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<ChangesPage> {
  const [db, wanted] = [await store(), await wantedBy(session, filter)]
  const [rows, total] = await Promise.all([
    findCommands(db, wanted, { limit: size, offset: (page - 1) * size }),
    countCommands(db, wanted),
  ])
  return { changes: rows.map((row) => changeRow(session, row)), total }
}

const AUTHORS_OF_LATEST = 1_000

/** Who made the latest changes that a person sees, by name. */
export async function authorsLately(session: Session): Promise<readonly string[]> {
  return await findAuthors(await store(), await wantedBy(session, ANY_CHANGE), AUTHORS_OF_LATEST)
}

const READ_AT_ONCE = 500

/** All changes that are wanted, in parts, up to `rowsMax`; the next part is read when it is asked for. */
export async function* changesInParts(
  session: Session,
  filter: ChangeFilter,
  rowsMax: number,
): AsyncGenerator<ChangesPage, void, undefined> {
  const [db, wanted] = [await store(), await wantedBy(session, filter)]
  const total = await countCommands(db, wanted)
  let after: Place | null = null
  for (let taken = 0; taken < rowsMax; ) {
    const limit = Math.min(READ_AT_ONCE, rowsMax - taken)
    const rows: CommandRow[] = await findCommands(db, wanted, { limit, after })
    const last = rows.at(-1)
    if (last === undefined) return
    yield { changes: rows.map((row) => changeRow(session, row)), total }
    if (rows.length < limit) return
    after = placeOfCommand(last)
    taken += rows.length
  }
}

async function wantedBy(session: Session, filter: ChangeFilter): Promise<WantedChanges> {
  const { person, kind, outcome, from, to, zone, text } = filter
  const inZone = zone === '' ? 'UTC' : zone
  return {
    actor: session.actor,
    kinds: await kindsSeenOfOthers(session),
    by: authorWanted(session, person),
    kind: kind === '' ? null : kind,
    outcome: outcome === '' ? null : outcome,
    since: from === '' ? null : dayStart(from, inZone),
    until: to === '' ? null : dayStart(dayAfter(to), inZone),
    text: text === '' ? null : text,
  }
}

function authorWanted({ displayName }: Session, person: string): WantedChanges['by'] {
  if (person === '') return null
  // One’s own name means all that one did, also under the name of another way of signing in.
  return person === ME || person.toLowerCase() === displayName.toLowerCase() ? 'mine' : { name: person }
}

function changeRow(session: Session, row: CommandRow): ChangeRow {
  const { id, kind, title, target, actorName, traceId, outcome } = viewFor(session, row)
  return { id, at: placeOfCommand(row).at, kind, title, target, actorName, traceId, outcome, amount: amountOf(row) }
}

/** What the person was shown as the amount, before they confirmed it. */
function amountOf(row: CommandRow): string | null {
  const lines = kindNamed(row.kind)?.summary(paramsOf(row), factsOf(row)) ?? []
  const amount = lines.find((line) => line.as === 'money')?.value
  return amount === undefined || Money.fromWire(amount) === null ? null : amount
}
