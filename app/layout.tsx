import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './globals.css'
import type { Metadata, Viewport } from 'next'
import { unstable_rethrow } from 'next/navigation'
import type { ReactNode } from 'react'
import { currentSession } from '#lib/session/current.ts'
import { type Preferences, readPreferences } from '#lib/session/preferences.ts'

export const metadata: Metadata = {
  robots: { index: false, follow: false },
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  colorScheme: 'light dark',
  // The keyboard of a phone takes its room from the page, and covers nothing of it.
  interactiveWidget: 'resizes-content',
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = await chosenTheme()
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <body>{children}</body>
    </html>
  )
}

/** Without a store the page that says so is still shown, in the colours of the machine. */
async function chosenTheme(): Promise<Preferences['theme']> {
  try {
    return (await readPreferences(await currentSession())).theme
  } catch (error) {
    unstable_rethrow(error)
    return 'system'
  }
}
