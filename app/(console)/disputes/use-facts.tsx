import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react'
import { useSessionBack } from '#components/service/use-session-back.ts'
import { Explained } from '#components/values/explained.tsx'
import { Money } from '#components/values/money.tsx'
import type { TransactionFact } from '#lib/disputes/queue/queue.ts'
import { own } from '#lib/values/own.ts'
import { readFacts } from './queue-requests.ts'

type Facts = Readonly<Record<string, TransactionFact>>

/** So many transactions are asked for in one request: the first rows are filled in soon. */
const AT_ONCE = 10
const UNREAD: TransactionFact = { kind: 'unread' }

export const FactsContext = createContext<Facts>({})

interface TransactionFactsProps {
  /** Of the rows that are shown. */
  references: readonly string[]
  /** All are asked for again when this is another one; until the answer comes, what was known stays. */
  version: string
  /** Those that could not be read are asked for again when this is another one. */
  again?: string
  children: ReactNode
}

/** Fills in amount and state of transactions after the table is there; the table waits for none of them. */
export function TransactionFacts({ references, version, again = version, children }: TransactionFactsProps) {
  const [facts, setFacts] = useState<Facts>({})
  const [readFor, setReadFor] = useState('')
  const [round, setRound] = useState(0)
  useSessionBack(() => setRound((previous) => previous + 1))
  const wanted = JSON.stringify([...new Set(references)])
  const missing = useEffectEvent((all: readonly string[]) =>
    readFor === version ? all.filter((reference) => (own(facts, reference) ?? UNREAD).kind === 'unread') : all,
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: every round asks again for what is missing.
  useEffect(() => {
    let left = false
    const fill = async (all: readonly string[]) => {
      for (let from = 0; from < all.length && !left; from += AT_ONCE) {
        const part = all.slice(from, from + AT_ONCE)
        const read = (await readFacts(part)) ?? Object.fromEntries(part.map((reference) => [reference, UNREAD]))
        if (!left) setFacts((known) => ({ ...known, ...read }))
      }
    }
    if (version !== '' && again !== '') void fill(missing(JSON.parse(wanted) as readonly string[]))
    setReadFor(version)
    return () => {
      left = true
    }
  }, [wanted, version, again, round])
  return <FactsContext value={facts}>{children}</FactsContext>
}

/** What the sender pays. */
export function FactAmount({ reference }: { reference: string }) {
  const fact = own(useContext(FactsContext), reference)
  if (fact === undefined) return <Pending />
  return fact.kind === 'read' ? <Money amount={fact.debit} /> : <NotRead fact={fact} />
}

export const Pending = () => (
  <span className="inline-block h-2.5 w-16 animate-pulse rounded bg-border align-middle">
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
      return { word: 'Not visible', why: 'The transaction is not found, or not visible to you.' }
    case 'forbidden':
      return { word: 'Not permitted', why: `Reading transactions needs the scope ${fact.scope ?? 'for it'}.` }
    case 'unread':
      return {
        word: 'Not read',
        why: 'The transaction could not be read. It is asked for again with the next reading.',
      }
  }
}
