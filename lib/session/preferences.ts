import 'server-only'
import { cache } from 'react'
import { z } from 'zod'
import { findPreference, savePreference } from '#lib/store/preferences.ts'
import { store } from '#lib/store/store.ts'
import type { Session } from './session.ts'

export const preferences = z.object({
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  timeFirst: z.enum(['local', 'utc']).catch('local'),
})

export type Preferences = z.output<typeof preferences>

const DEFAULTS: Preferences = preferences.parse({})

/** What a person has chosen for themselves; the same on every machine they sign in on. */
export const readPreferences = cache(async (session: Session | null): Promise<Preferences> => {
  if (session === null) return DEFAULTS
  const stored = await findPreference(await store(), session.actor)
  return stored === undefined ? DEFAULTS : preferences.parse(JSON.parse(stored))
})

export async function writePreferences(session: Session, change: Partial<Preferences>): Promise<void> {
  const kept = await readPreferences(session)
  await savePreference(await store(), session.actor, JSON.stringify({ ...kept, ...change }))
}
