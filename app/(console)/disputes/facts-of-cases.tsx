'use client'

import { createContext, type ReactNode, Suspense, use, useContext, useMemo, useState } from 'react'
import { Explained } from '#components/values/explained.tsx'
import { Money } from '#components/values/money.tsx'
import { type ComingFacts, laterFact, type TransactionFact, type TransactionFacts } from '#lib/disputes/queue/queue.ts'
import { ownProperty } from '#lib/values/words.ts'

const NOTHING = {}
const Facts = createContext<{ readonly coming: ComingFacts; readonly streamed: TransactionFacts }>({
  ...{ coming: NOTHING, streamed: NOTHING },
})

interface FactsProps {
  coming: ComingFacts
  streamed?: TransactionFacts
  children: ReactNode
}

/** Provides amount and state per transaction to the table's cells. The later reading of a transaction wins. */
export function FactsOfCases({ coming, streamed = NOTHING, children }: FactsProps) {
  const [known, setKnown] = useState(streamed)
  const [seen, setSeen] = useState(streamed)
  if (seen !== streamed) {
    setSeen(streamed)
    const later = Object.entries(streamed).map(([reference, fact]) => [
      reference,
      laterFact(ownProperty(known, reference), fact),
    ])
    setKnown({ ...known, ...Object.fromEntries(later) })
  }
  const facts = useMemo(() => ({ coming, streamed: known }), [coming, known])
  return <Facts value={facts}>{children}</Facts>
}

interface FactProps {
  reference: string
  children: (fact: TransactionFact | undefined) => ReactNode
}

/** Each cell has its own suspense boundary, so no cell waits for another. */
export function Fact({ reference, children }: FactProps) {
  const { coming, streamed } = useContext(Facts)
  const known = ownProperty(streamed, reference)
  const now = ownProperty(coming, reference)
  // A refreshed page keeps its first fact instead of suspending for one that it has already read.
  const [first] = useState(now)
  const shown = isComing(now) && first !== undefined ? first : now
  if (!isComing(shown)) return children(laterFact(shown, known))
  return (
    <Suspense fallback={children(known)}>
      <Coming fact={shown}>{(fact) => children(laterFact(fact, known))}</Coming>
    </Suspense>
  )
}

const isComing = (fact: TransactionFact | Promise<TransactionFact> | undefined): fact is Promise<TransactionFact> =>
  fact !== undefined && 'then' in fact

interface ComingProps {
  fact: Promise<TransactionFact>
  children: (fact: TransactionFact) => ReactNode
}

const Coming = ({ fact, children }: ComingProps) => children(use(fact))

export const FactAmount = ({ reference }: { reference: string }) => (
  <Fact key={reference} reference={reference}>
    {(fact) => {
      if (fact === undefined) return <Pending />
      return fact.kind === 'read' ? <Money amount={fact.debit} /> : <NotRead fact={fact} />
    }}
  </Fact>
)

/** As wide as a typical value, so that the columns do not move. */
export const Pending = ({ width = 'w-18' }: { width?: 'w-18' | 'w-22' }) => (
  <span className={`inline-block h-2.5 animate-pulse rounded bg-border align-middle ${width}`}>
    <span className="sr-only">Reading</span>
  </span>
)

function NotRead({ fact }: { fact: Exclude<TransactionFact, { kind: 'read' }> }) {
  const { word, why } = wordsOf(fact)
  return (
    <Explained why={why} className="cursor-help text-attention">
      {word}
    </Explained>
  )
}

function wordsOf(fact: Exclude<TransactionFact, { kind: 'read' }>): { readonly word: string; readonly why: string } {
  switch (fact.kind) {
    case 'not-visible':
      return { word: 'Not visible', why: 'Transaction not found, or not visible to you.' }
    case 'forbidden':
      return { word: 'Not permitted', why: `Reading transactions needs the scope ${fact.scope ?? 'for it'}.` }
    case 'unread':
      return {
        word: 'Not read',
        why: 'The transaction could not be read. The next refresh tries again.',
      }
  }
}
