'use client'

import { Check, Copy, EyeOff } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Panel } from '#components/frame/panel.tsx'
import { Button } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import { useSecond } from '#components/values/timestamp.tsx'
import { inFours, NUMBER_SHOWN_SECONDS } from '#lib/cards/card.ts'
import type { NumberEnd } from './issued-card.tsx'

interface CardNumberOnceProps {
  cardNumber: string
  /** The number is to be dropped, and cannot be shown again. */
  onEnd: (how: NumberEnd) => void
}

/**
 * The one showing of a card number. It ends after a minute, when the window loses the focus or is hidden or left, and by
 * hand. The number is in the memory of this page alone.
 */
export function CardNumberOnce({ cardNumber, onEnd }: CardNumberOnceProps) {
  const box = useRef<HTMLDivElement>(null)
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no')
  const [endsAt] = useState(() => Date.now() + NUMBER_SHOWN_SECONDS * 1000)
  useEnding((how) => {
    // At once, and not with the next painting: a page that is left may be kept as it is, to come back to.
    box.current?.replaceChildren()
    onEnd(how)
  })
  useEffect(() => box.current?.focus(), [])

  const copy = () => {
    navigator.clipboard.writeText(cardNumber).then(
      () => setCopied('yes'),
      () => setCopied('refused'),
    )
  }
  return (
    <Panel
      title="Card number, shown once"
      meaning="attention"
      className="print:hidden"
      aside={<Countdown endsAt={endsAt} />}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; this groups the digits of one number. */}
      <div
        ref={box}
        role="group"
        aria-label="Card number"
        tabIndex={-1}
        className="figures mx-3.5 mt-5 mb-1 flex flex-wrap gap-x-[0.6em] font-mono font-semibold text-[26px] leading-10 outline-none sm:text-[32px]"
      >
        {inFours(cardNumber).map((four, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups have no other name than their place.
          <span key={place}>{four}</span>
        ))}
      </div>
      <p className="px-3.5 pb-4 text-secondary-foreground text-sm">
        Hand it over now. It goes when this window loses the focus, and nobody here can show it again.
      </p>
      <CardFooter>
        <Button onClick={() => onEnd('handed-over')}>
          <Check aria-hidden />I have handed it over
        </Button>
        <Button variant="outline" onClick={copy}>
          <Copy aria-hidden />
          Copy
        </Button>
        <Button variant="ghost" onClick={() => onEnd('hidden')}>
          <EyeOff aria-hidden />
          Hide now
        </Button>
        <p aria-live="polite" className="w-full text-muted-foreground text-xs empty:hidden">
          {copyWords[copied]}
        </p>
      </CardFooter>
    </Panel>
  )
}

const copyWords = {
  no: '',
  yes: 'Copied. The clipboard keeps it until something else is copied: paste it where it belongs, then copy something else.',
  refused: 'The browser did not let it be copied. Read it out instead.',
} as const

function Countdown({ endsAt }: { endsAt: number }) {
  const second = useSecond()
  const left = second === null ? NUMBER_SHOWN_SECONDS : Math.max(0, Math.ceil(endsAt / 1000 - second))
  return <CountdownRing left={Math.min(left, NUMBER_SHOWN_SECONDS)} of={NUMBER_SHOWN_SECONDS} />
}

/** Ends the showing when its time is over, and whenever somebody else might look. */
function useEnding(onEnd: (how: NumberEnd) => void): void {
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    const timer = setTimeout(() => end('time'), NUMBER_SHOWN_SECONDS * 1000)
    const left = () => end('left')
    const hidden = () => {
      if (document.visibilityState === 'hidden') end('left')
    }
    window.addEventListener('blur', left)
    window.addEventListener('pagehide', left)
    document.addEventListener('visibilitychange', hidden)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('blur', left)
      window.removeEventListener('pagehide', left)
      document.removeEventListener('visibilitychange', hidden)
    }
  }, [])
}

const RADIUS = 15
const LENGTH = 2 * Math.PI * RADIUS

/** A ring that empties with the seconds, and their number in it. */
function CountdownRing({ left, of }: { left: number; of: number }) {
  return (
    <span
      role="timer"
      aria-live="off"
      aria-label={`Hidden in ${left} s`}
      className="relative grid size-9 place-items-center"
    >
      <svg viewBox="0 0 36 36" aria-hidden="true" className="absolute inset-0 -rotate-90">
        <circle cx="18" cy="18" r={RADIUS} fill="none" strokeWidth="3" className="stroke-border" />
        <circle
          cx="18"
          cy="18"
          r={RADIUS}
          fill="none"
          strokeWidth="3"
          strokeLinecap="round"
          strokeDasharray={LENGTH}
          strokeDashoffset={LENGTH * (1 - left / of)}
          className="stroke-attention transition-[stroke-dashoffset] duration-1000 ease-linear"
        />
      </svg>
      <span aria-hidden className="figures font-semibold text-xs">
        {left}
      </span>
    </span>
  )
}
