import { unstable_rethrow } from 'next/navigation'
import { currentSession } from '#lib/session/current.ts'
import { type Preferences, readPreferences } from '#lib/session/preferences.ts'

/** Falls back to the system theme when the store fails, so that the error page can still be rendered. */
export async function chosenTheme(): Promise<Preferences['theme']> {
  try {
    return (await readPreferences(await currentSession())).theme
  } catch (error) {
    unstable_rethrow(error)
    return 'system'
  }
}
