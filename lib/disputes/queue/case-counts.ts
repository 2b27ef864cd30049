import type { Category } from '#lib/disputes/categories/category.ts'
import { ages, claimFilters, type Notice, notices, type QueueFilter, turnFilters } from './queue.ts'

interface Group
  extends Pick<QueueFilter, 'age' | 'claim' | 'turn' | 'unread' | 'assignee' | 'category'>,
    Readonly<Record<Notice, boolean>> {
  readonly name: string | null
  readonly awayUntil: string | null
  readonly count: number
}

/** Either all cases of an age and status, or those of them of which more is `known`. */
export interface CountedGroup extends Group {
  readonly status: string
  readonly known: boolean
}

const asUnknown = ({ age, status, count }: CountedGroup, seesClaims: boolean): Group => ({
  age,
  claim: seesClaims && status === 'OPEN' ? 'unassigned' : null,
  turn: seesClaims && status !== 'RESOLVED' ? 'unknown' : null,
  ...{ unread: false, assignee: null, mentioned: false, watching: false, category: null },
  ...{ name: null, awayUntil: null, count },
})

const ofAssignee = ([first]: readonly Group[]) => ({ name: first?.name ?? '', awayUntil: first?.awayUntil ?? null })

export function countsIn(
  counted: readonly CountedGroup[],
  filter: QueueFilter,
  { seesClaims }: { readonly seesClaims: boolean },
  categories: readonly Category[] | null,
) {
  const rows = counted.flatMap((row) => {
    const unknown = asUnknown(row, seesClaims)
    return row.known ? [row, { ...unknown, count: -row.count }] : [unknown]
  })
  const matching = (change: Partial<QueueFilter>) => {
    const wanted = { ...filter, ...change }
    return rows.filter(
      ({ age, claim, turn, unread, assignee, category, ...group }) =>
        (wanted.notice === null || group[wanted.notice]) &&
        (wanted.age === null || age === wanted.age) &&
        (wanted.category === null || category === wanted.category) &&
        (wanted.claim === null || (seesClaims && claim === wanted.claim)) &&
        (wanted.assignee === null || (seesClaims && claim !== null && assignee === wanted.assignee)) &&
        (wanted.turn === null || turn === wanted.turn) &&
        (!wanted.unread || unread),
    )
  }
  const countOf = (change: Partial<QueueFilter>) => matching(change).reduce((sum, { count }) => sum + count, 0)
  const eachOf = <Value extends string>(values: readonly Value[], change: (value: Value) => Partial<QueueFilter>) =>
    Object.fromEntries(values.map((value) => [value, countOf(change(value))])) as Record<Value, number>
  const assigned = matching({ claim: null, assignee: null }).filter(({ claim }) => claim !== null)
  const assignees = [...Map.groupBy(assigned, ({ assignee }) => assignee ?? '')].flatMap(([actor, of]) =>
    actor === '' ? [] : [{ ...ofAssignee(of), actor, count: of.reduce((sum, { count }) => sum + count, 0) }],
  )
  return {
    total: countOf({}),
    ages: eachOf(
      ages.map(({ id }) => id),
      (age) => ({ age }),
    ),
    claims: seesClaims ? eachOf(claimFilters, (claim) => ({ claim, assignee: null })) : null,
    // Whether an unknown case has unread messages is unknown, too.
    turns: seesClaims
      ? eachOf(turnFilters, (turn) => ({ turn, ...(turn === 'unknown' ? { unread: false } : {}) }))
      : null,
    unread: seesClaims ? countOf({ unread: true, turn: filter.turn === 'unknown' ? null : filter.turn }) : null,
    notices: seesClaims ? eachOf(notices, (notice) => ({ notice })) : null,
    categories:
      seesClaims && categories !== null
        ? categories
            .map(({ id, name, retired }) => ({ id, name, retired, count: countOf({ category: id }) }))
            .filter(({ id, retired, count }) => !retired || count > 0 || id === filter.category)
        : null,
    assignees: seesClaims ? assignees.toSorted((one, other) => (one.name < other.name ? -1 : 1)) : null,
  }
}
