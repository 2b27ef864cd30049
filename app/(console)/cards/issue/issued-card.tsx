import Link from 'next/link'
import { useEffect, useRef } from 'react'
import { Panel } from '#components/frame/panel.tsx'
import { Button, buttonVariants } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import type { IssuedCard as Card } from '#lib/cards/card.ts'

/** Why a card number is no longer shown. */
export type NumberEnd = 'handed-over' | 'hidden' | 'time' | 'left' | 'session'

interface IssuedCardProps {
  card: Card
  /** Null when this page never showed the number. */
  ended: NumberEnd | null
  onAnother: () => void
}

const REACHED = 'If it reached the holder, nothing is left to do. If it did not, block this card and issue another one.'

const words: Readonly<Record<NumberEnd, string>> = {
  'handed-over': 'Handed over. The number is nowhere in this console any more.',
  hidden: `Hidden for good. ${REACHED}`,
  time: `Its time is over, so the number is hidden for good. ${REACHED}`,
  left: `The page was left, so the number is hidden for good. ${REACHED}`,
  session: `Your session ended, so the number is hidden for good. ${REACHED}`,
}

const NOT_SHOWN_HERE = `The number was in one answer only and is not shown again. ${REACHED}`

export function IssuedCard({ card, ended, onAnother }: IssuedCardProps) {
  const digits = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (ended === null) return
    // A dialog that closes together with the number first returns the focus.
    const timer = setTimeout(() => digits.current?.focus())
    return () => clearTimeout(timer)
  }, [ended])
  return (
    <Panel title="Card issued">
      <p
        ref={digits}
        tabIndex={-1}
        className="figures mx-3.5 mt-5 mb-1 font-mono font-semibold text-[26px] leading-10 outline-none sm:text-[32px]"
      >
        <span aria-hidden className="text-muted-foreground">
          ••••{' '}
        </span>
        <span className="sr-only">Card ending </span>
        {card.last4}
      </p>
      <p className="max-w-prose px-3.5 pb-4 text-secondary-foreground text-sm">
        {ended === null ? NOT_SHOWN_HERE : words[ended]}
      </p>
      <CardFooter>
        <Link
          href={`/cards/${encodeURIComponent(card.id)}`}
          prefetch={false}
          className={buttonVariants({ variant: 'outline' })}
        >
          Open the card
        </Link>
        <Button variant="ghost" onClick={onAnother}>
          Issue another card
        </Button>
      </CardFooter>
    </Panel>
  )
}
