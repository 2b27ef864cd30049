'use client'

import './globals.css'
import PageError from './error.tsx'
import type { FaultProps } from './fault.tsx'

/** Even the outermost layout failed: this stands in its place. */
export default function GlobalError({ error }: FaultProps) {
  return (
    <html lang="en">
      <title>Operator Console</title>
      <body>
        <PageError error={error} />
      </body>
    </html>
  )
}
