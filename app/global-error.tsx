'use client'

import './globals.css'
import { Fault, type FaultProps } from './fault.tsx'

/** Replaces the whole document when the root layout fails. */
export default function GlobalError({ error }: FaultProps) {
  return (
    <html lang="en" translate="no">
      <meta name="google" content="notranslate" />
      <title>Operator Console</title>
      <body>
        <main className="mx-auto max-w-2xl px-5 pt-[14vh]">
          <Fault error={error} />
        </main>
      </body>
    </html>
  )
}
