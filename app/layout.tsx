import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './globals.css'
import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { chosenTheme } from './chosen-theme.ts'

export const metadata: Metadata = {
  robots: { index: false, follow: false },
  // A page translator moves text nodes, and React then fails to remove them.
  other: { google: 'notranslate' },
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  // A phone's keyboard shrinks the page instead of covering it.
  interactiveWidget: 'resizes-content',
}

/** A browser would find them only at a first layout without them. */
const fonts = [
  new URL('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2', import.meta.url),
  new URL('@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2', import.meta.url),
]

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = await chosenTheme()
  return (
    <html lang="en" translate="no" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        {fonts.map(({ href }) => (
          <link key={href} rel="preload" as="font" type="font/woff2" href={href} crossOrigin="anonymous" />
        ))}
      </head>
      <body>{children}</body>
    </html>
  )
}
