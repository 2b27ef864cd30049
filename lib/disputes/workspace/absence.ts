import 'server-only'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { refusalProblem, refusedFrom } from '#lib/authorization/judge.ts'
import type { Line } from '#lib/commands/command.ts'
import { faultsOf, recordCommand } from '#lib/commands/kind.ts'
import { config } from '#lib/config/config.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { dayOf, daysBefore, isDay } from '#lib/values/time.ts'

const AWAY_MAX_DAYS = 90

const today = (): string => dayOf(Date.now(), config().businessZone)

/** For a row of the table `absence`: it ends by the day alone. */
export const isAway = () => sql<boolean>`absence.until > ${today()}`

/** By actor: the first day back. */
export async function absences(db: Kysely<Tables>): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('absence').select(['actor', 'until']).where(isAway()).execute()
  return new Map(rows.map(({ actor, until }) => [actor, until]))
}

function dayFault(until: string): string | null {
  if (until === '') return null
  if (!isDay(until)) return `Enter a day such as 2026-12-03, at most ${AWAY_MAX_DAYS} days from today.`
  if (until <= today()) return 'This day has begun. Enter a later one.'
  return daysBefore(until, AWAY_MAX_DAYS) > today() ? `At most ${AWAY_MAX_DAYS} days from today.` : null
}

/** `person`: an actor. `until`: the first day back; empty to end the absence. */
const params = z.strictObject({ person: z.string(), until: z.string().trim() })

/** Empty if unknown, and if present. */
type AwayFacts = Readonly<Record<'name' | 'until', string>>

const lines = (name: string, until: string): Line[] => [
  { label: 'Person', value: name, as: 'text' },
  { label: 'Away until', value: until === '' ? 'not away' : until, as: 'text' },
]

export const assigneeAway = recordCommand<z.output<typeof params>, AwayFacts>({
  kind: 'assignee.away',
  params,
  immediate: true,
  checkParams: ({ until }) => faultsOf({ until: dayFault(until) }),
  async readFacts(session, { person }) {
    const { actor, displayName } = session
    const refusal = person === actor ? null : await refusedFrom(session, 'othersAbsence.write')
    if (refusal !== null) return { ok: false, problem: refusalProblem(refusal) }
    const db = await store()
    const known = db.selectFrom('case_candidate').select('name').where('actor', '=', person)
    const [candidate, away] = await Promise.all([known.executeTakeFirst(), absences(db)])
    const name = person === actor ? displayName : (candidate?.name ?? '')
    return { ok: true, value: { name, until: away.get(person) ?? '' }, serviceTime: null }
  },
  checkFacts: (_params, { name }) => faultsOf({ person: name === '' ? 'This person is not known here.' : null }),
  title: ({ until }, { name }) => (until === '' ? `End the absence of ${name}` : `Set ${name} as away until ${until}`),
  summary: ({ until }, { name }) => lines(name, until),
  factLines: ({ name, until }) => lines(name, until),
  consequence: () => 'Colleagues are warned before they assign a case to this person.',
  target: ({ person }) => person,
  place: ({ target }) => ({ href: `/disputes?assignee=${encodeURIComponent(target)}`, words: 'Open their cases' }),
  locks: ({ person }) => [{ key: `absence:${person}`, permanent: false }],
  describeLockConflict: () => ({ field: 'person', what: 'This absence is being changed' }),
  describeSuccess: ({ until }, { name }) => ({ steps: [], lines: lines(name, until) }),
  async record(trx, { commandId: command_id, params: { person: actor, until } }) {
    await trx
      .insertInto('absence')
      .values({ actor, until, command_id })
      .onConflict((conflict) => conflict.column('actor').doUpdateSet({ until, command_id }))
      .execute()
  },
})
