import 'server-only'
import { auditKindsSeenOfOthers, kindsSeenOfOthers } from '#lib/commands/access.ts'
import { commandNamed } from '#lib/commands/kind.ts'
import { type CommandRow, factsOf, paramsOf } from '#lib/commands/row.ts'
import type { ChangeFilter, Place } from '#lib/commands/search.ts'
import { actorWords, viewFor } from '#lib/commands/view.ts'
import { commandKinds } from '#lib/kind-names.ts'
import { auditKinds } from '#lib/session/audit-kinds.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { dayAfter, dayStart } from '#lib/values/day.ts'
import { Money } from '#lib/values/money.ts'
import { type ActivityFilter, ALL_ACTIVITY, ME } from './activity-filter.ts'
import type { ActivityRow } from './activity-row.ts'
import { countActivity, type FoundActivity, findActivity, findPeople, type WantedActivity } from './activity-search.ts'
import { type EntryRow, entryWords } from './entry-words.ts'

export interface ActivityPage {
  readonly rows: readonly ActivityRow[]
  readonly total: number
}

/** Only what the person may see, latest first. */
export async function activityPage(
  session: Session,
  filter: ActivityFilter,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<ActivityPage> {
  const [db, wanted] = [await store(), await wantedBy(session, filter)]
  const [found, total] = await Promise.all([
    findActivity(db, wanted, { limit: size, offset: (page - 1) * size }),
    countActivity(db, wanted),
  ])
  return { rows: rowsOf(session, found), total }
}

const PEOPLE_OF_LATEST = 1_000

export async function peopleLately(session: Session): Promise<readonly string[]> {
  return await findPeople(await store(), await wantedBy(session, ALL_ACTIVITY), PEOPLE_OF_LATEST)
}

const READ_AT_ONCE = 500

export async function* activityInParts(
  session: Session,
  filter: ActivityFilter,
  rowsMax: number,
): AsyncGenerator<ActivityPage, void, undefined> {
  const [db, wanted] = [await store(), await wantedBy(session, filter)]
  const total = await countActivity(db, wanted)
  let after: Place | null = null
  for (let taken = 0; taken < rowsMax; ) {
    const limit = Math.min(READ_AT_ONCE, rowsMax - taken)
    const found: FoundActivity[] = await findActivity(db, wanted, { limit, after })
    const last = found.at(-1)
    if (last === undefined) return
    yield { rows: rowsOf(session, found), total }
    if (found.length < limit) return
    after = last
    taken += found.length
  }
}

async function wantedBy(session: Session, filter: ActivityFilter): Promise<WantedActivity> {
  const { person, kind, outcome, from, to, zone, text } = filter
  const inZone = zone === '' ? 'UTC' : zone
  const both = {
    actor: session.actor,
    by: authorWanted(session, person),
    kind: kind === '' ? null : kind,
    since: from === '' ? null : dayStart(from, inZone),
    until: to === '' ? null : dayStart(dayAfter(to), inZone),
    text: text === '' ? null : text,
  }
  const isEntry = auditKinds.some((known) => known === kind)
  const isChange = commandKinds.some((known) => known === kind)
  // An entry has no state, so an outcome filter selects changes only.
  const onlyChanges = isChange || outcome !== ''
  return {
    changes: isEntry
      ? null
      : { ...both, kinds: await kindsSeenOfOthers(session), outcome: outcome === '' ? null : outcome },
    entries: onlyChanges ? null : { ...both, kinds: await auditKindsSeenOfOthers(session) },
  }
}

function authorWanted({ displayName }: Session, person: string): ChangeFilter['by'] {
  if (person === '') return null
  // Includes acts under the name of another sign-in method.
  return person === ME || person.toLowerCase() === displayName.toLowerCase() ? 'mine' : { name: person }
}

const rowsOf = (session: Session, found: readonly FoundActivity[]): readonly ActivityRow[] =>
  found.flatMap(({ at, command, entry }) => {
    if (command !== undefined) return [changeRow(session, command, at)]
    // Retention erased the entry meanwhile.
    return entry === undefined ? [] : [entryRow(session, entry)]
  })

function changeRow(session: Session, row: CommandRow, at: string): ActivityRow {
  const { id, kind, title, target, actorName, traceId, outcome } = viewFor(session, row)
  return { id, at, kind, title, target, actorName, traceId, outcome, amount: amountOf(row), told: '' }
}

function entryRow(session: Session, row: EntryRow): ActivityRow {
  const { id, at, kind, about: target } = row
  const { title, told } = entryWords(row)
  const actorName = actorWords(session, row)
  return { id, at, kind, title, target, actorName, traceId: null, outcome: null, amount: null, told }
}

/** The amount that the author was shown for confirmation. */
function amountOf(row: CommandRow): string | null {
  const lines = commandNamed(row.kind)?.summary(paramsOf(row), factsOf(row)) ?? []
  const amount = lines.find((line) => line.as === 'money')?.value
  return amount === undefined || Money.fromWire(amount) === null ? null : amount
}
