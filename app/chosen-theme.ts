import { unstable_rethrow } from 'next/navigation'
import { currentSession } from '#lib/session/current.ts'
import { type Preferences, readPreferences } from '#lib/session/preferences.ts'

/** Without a store the page that says so is still shown, in the colours of the machine. */
export async function chosenTheme(): Promise<Preferences['theme']> {
  try {
    return (await readPreferences(await currentSession())).theme
  } catch (error) {
    unstable_rethrow(error)
    return 'system'
  }
}
