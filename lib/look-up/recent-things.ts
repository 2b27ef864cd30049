import 'server-only'
import { after } from 'next/server'
import { permits } from '#lib/authorization/judge.ts'
import { log } from '#lib/config/log.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { findPinned, findThings, type RecentThingRow, rememberThing, setPinned } from './recent-thing-table.ts'
import type { RecentThing, Thing, ThingKind } from './thing.ts'

/** The column's limit. */
const LABEL_MAX_CHARS = 200

/** Writes after the response and never throws. `label` must not hold an amount or a wallet holder's text. */
export function noteShown({ actor }: Session, thing: Thing, label = ''): void {
  after(async () => {
    try {
      const short = [...label].slice(0, LABEL_MAX_CHARS).join('')
      await rememberThing(await store(), actor, { ...thing, label: short })
    } catch (error) {
      log().error({ event: 'recent-thing', error: error instanceof Error ? error.name : 'error' })
    }
  })
}

/** Pinned first, then latest. Omits statements that the person may no longer read. */
export async function recentThings(session: Session, kind: ThingKind | null): Promise<readonly RecentThing[]> {
  const rows = await findThings(await store(), session.actor, kind)
  const hasStatements = rows.some((row) => row.kind === 'statement')
  // Statement labels are bank file names, which need the scope.
  const hidden = hasStatements && !(await permits(session, 'statements.read')) ? 'statement' : null
  return rows.filter((row) => row.kind !== hidden).map(thingOf)
}

const thingOf = ({ kind, id, label, shown_at, pinned_at }: RecentThingRow): RecentThing => ({
  kind: kind as ThingKind,
  id,
  label,
  shownAt: shown_at,
  pinned: pinned_at !== null,
})

export const isPinned = async ({ actor }: Session, thing: Thing): Promise<boolean> =>
  await findPinned(await store(), actor, thing)

/** False if too many of this kind are pinned. */
export const pin = async ({ actor }: Session, thing: Thing, pinned: boolean): Promise<boolean> =>
  await setPinned(await store(), actor, thing, pinned)
