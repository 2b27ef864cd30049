'use client'

import './globals.css'
import { lazy, Suspense } from 'react'
import type { FaultProps } from './fault.tsx'

const Plain = () => (
  <div role="alert">
    <h1>This page could not be shown</h1>
    <p>
      A change that you just confirmed may have been made: check Activity before you repeat it.{' '}
      <a href="/activity">Open Activity</a>
    </p>
  </div>
)

/** Loaded when needed, because every page loads this file. */
const Fault = lazy<React.ComponentType<FaultProps>>(() =>
  import('./fault.tsx').then(
    (it) => ({ default: it.Fault }),
    () => ({ default: Plain }),
  ),
)

/** Replaces the whole document when the root layout fails. */
export default function GlobalError({ error }: FaultProps) {
  return (
    <html lang="en" translate="no">
      <meta name="google" content="notranslate" />
      <title>Operator Console</title>
      <body>
        <main className="mx-auto max-w-2xl px-5 pt-[14vh]">
          <Suspense fallback={<Plain />}>
            <Fault error={error} />
          </Suspense>
        </main>
      </body>
    </html>
  )
}
