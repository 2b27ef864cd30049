import {
  ageOf,
  ages,
  type ClaimFilter,
  everyOpenCase,
  type IndexState,
  type QueueRow,
  type QueueView,
} from '#lib/disputes/queue/queue.ts'

const COMPLETE: IndexState = {
  completeAt: '2026-07-02T12:04:31.000Z',
  oldestReadAt: '2026-07-02T12:04:30.000Z',
  newestReadAt: '2026-07-02T12:04:31.000Z',
  reading: null,
  shortfall: null,
  problem: null,
}

/** All open cases there are, as the server tells of them after a complete sweep. */
export function queueOf(
  rows: readonly QueueRow[],
  { index, ...change }: Partial<Omit<QueueView, 'index'>> & { readonly index?: Partial<IndexState> } = {},
): QueueView {
  const { unreadable = 0 } = change
  const claimed = (kind: ClaimFilter) => rows.filter((row) => claimKind(row) === kind).length
  const aged = ages.map(({ id }) => [id, rows.filter((row) => ageOf(row.createdAt, Date.now()) === id).length] as const)
  return {
    ...{ filter: everyOpenCase, places: { page: 1, size: 20 }, version: 1 },
    rows,
    firstPlace: 1,
    total: rows.length + unreadable,
    unreadableHere: unreadable,
    unreadable,
    listed: rows.length + unreadable,
    counts: {
      claims: {
        mine: claimed('mine'),
        snoozed: claimed('snoozed'),
        unassigned: claimed('unassigned'),
        others: claimed('others'),
      },
      ...{ turns: { us: 0, party: 0, unknown: rows.length }, unread: 0, notices: { mentioned: 0, watching: 0 } },
      ...{ assignees: [], categories: null },
      ages: Object.fromEntries(aged) as QueueView['counts']['ages'],
    },
    open: rows.length + unreadable,
    adminView: 'proved',
    index: { ...COMPLETE, ...index },
    arrival: rows.length,
    since: null,
    amountsUnread: 0,
    ...change,
  }
}

function claimKind({ claim }: QueueRow): ClaimFilter | null {
  if (claim === null) return 'unassigned'
  if (claim === 'hidden') return null
  if (!claim.mine) return 'others'
  return claim.snoozed === undefined ? 'mine' : 'snoozed'
}
