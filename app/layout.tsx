import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './globals.css'
import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { currentSession } from '#lib/session/current.ts'
import { readPreferences } from '#lib/session/preferences.ts'

export const metadata: Metadata = {
  title: { default: 'Operator Console', template: '%s · Operator Console' },
  robots: { index: false, follow: false },
}

export const viewport: Viewport = { width: 'device-width', initialScale: 1, colorScheme: 'light dark' }

export default async function RootLayout({ children }: { children: ReactNode }) {
  const { theme } = await readPreferences(await currentSession())
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <body>{children}</body>
    </html>
  )
}
