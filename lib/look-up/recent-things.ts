import 'server-only'
import { after } from 'next/server'
import { permits } from '#lib/authorization/judge.ts'
import { log } from '#lib/config/log.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { findPinned, findThings, type RecentThingRow, rememberThing, setPinned } from './recent-thing-table.ts'
import type { RecentThing, Thing, ThingKind } from './thing.ts'

/** As the store holds it. */
const LABEL_MAX_CHARS = 200

/**
 * Keeps that the page of a thing was shown to a person, once the page has gone out: it waits for no write, and does not fail
 * with one. `label`: never an amount, or what a wallet's holder typed.
 */
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

/** What a person looked at and pinned, pinned first, then the latest first; of one kind, or of all that they may still see. */
export async function recentThings(session: Session, kind: ThingKind | null): Promise<readonly RecentThing[]> {
  const rows = await findThings(await store(), session.actor, kind)
  const hasStatements = rows.some((row) => row.kind === 'statement')
  // Their names are the banks', and scopes can go.
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

/** Pins a thing for a person alone, or lets it go. False where as many of its kind are pinned as can be. */
export const pin = async ({ actor }: Session, thing: Thing, pinned: boolean): Promise<boolean> =>
  await setPinned(await store(), actor, thing, pinned)
