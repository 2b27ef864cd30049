import { Check, Copy, Eye, EyeOff, TimerReset } from 'lucide-react'
import { type Ref, Suspense, useEffect, useRef, useState } from 'react'
import { holdPage } from '#components/frame/leave-guard.ts'
import { Panel } from '#components/frame/panel.tsx'
import { onSessionEnded } from '#components/service/session-events.ts'
import { Button } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import { Kbd } from '#components/ui/kbd.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { inFours, NUMBER_SHOWN_SECONDS } from '#lib/cards/card.ts'
import type { NumberEnd } from './issued-card.tsx'
import { SHOW_KEY, useNumberShowing } from './use-number-showing.ts'

const loadLeaveDialog = () => import('./leave-dialog.tsx')
const LeaveDialog = onDemand(
  () => loadLeaveDialog().then((it) => it.LeaveDialog),
  ({ onStay }) => onStay,
)

interface CardNumberOnceProps {
  cardNumber: string
  /** The caller drops the number, which cannot be shown again. */
  onEnd: (how: NumberEnd) => void
}

/**
 * Shows a card number once. It is held only in this page's memory, and is in the document only while it is readable. It
 * is masked when the window loses the focus, and leaving the page asks first.
 */
export function CardNumberOnce({ cardNumber, onEnd }: CardNumberOnceProps) {
  const box = useRef<HTMLDivElement>(null)
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no')
  const focusNumber = () => box.current?.focus()
  const { showing, left, digits, show, extend } = useNumberShowing(onEnd, focusNumber)
  const leaving = useAskBeforeLeaving(() => onEnd('left'))
  useEffect(() => {
    box.current?.focus()
    // Loaded in advance, so that the dialog opens even if the console is unreachable by then.
    loadLeaveDialog().catch(() => {})
  }, [])

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
      aside={<CountdownRing left={left} of={NUMBER_SHOWN_SECONDS * (showing.extended ? 2 : 1)} />}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; this groups the digits of one number. */}
      <div
        ref={box}
        role="group"
        aria-label={showing.masked ? 'Card number, masked' : 'Card number'}
        tabIndex={-1}
        className="figures mx-3.5 mt-5 mb-1 font-mono font-semibold text-[26px] leading-10 outline-none sm:text-[32px]"
      >
        {showing.masked ? <Masked /> : <Digits box={digits} cardNumber={cardNumber} />}
      </div>
      <div className="grid justify-items-start gap-2.5 px-3.5 pb-4 text-secondary-foreground text-sm">
        <p aria-live="polite">{showing.masked ? MASKED_WORDS : SHOWN_WORDS}</p>
        {showing.masked ? (
          <Button variant="outline" onClick={show} aria-keyshortcuts={SHOW_KEY}>
            <Eye aria-hidden />
            Show the number <Kbd>{SHOW_KEY.toUpperCase()}</Kbd>
          </Button>
        ) : null}
      </div>
      <CardFooter>
        <Button onClick={() => onEnd('handed-over')}>
          <Check aria-hidden />I have handed it over
        </Button>
        <Button variant="outline" onClick={copy}>
          <Copy aria-hidden />
          Copy
        </Button>
        {showing.extended ? null : (
          <Button
            variant="outline"
            onClick={() => {
              focusNumber()
              extend()
            }}
          >
            <TimerReset aria-hidden />
            {NUMBER_SHOWN_SECONDS} more seconds
          </Button>
        )}
        <Button variant="ghost" onClick={() => onEnd('hidden')}>
          <EyeOff aria-hidden />
          Hide now
        </Button>
        <p aria-live="polite" className="w-full text-muted-foreground text-xs">
          {showing.extended ? EXTENDED_WORDS : ONCE_WORDS}
        </p>
        <p aria-live="polite" className="w-full text-muted-foreground text-xs empty:hidden">
          {copyWords[copied]}
        </p>
      </CardFooter>
      <Suspense>{leaving.asked ? <LeaveDialog onStay={leaving.stay} onLeave={leaving.leave} /> : null}</Suspense>
    </Panel>
  )
}

const SHOWN_WORDS =
  'Hand it over now. It is masked when this window loses the focus. When its time is over, nobody here can show it again.'
const MASKED_WORDS = 'Masked, because this window lost the focus. Its time goes on running.'
const ONCE_WORDS = `Its time can be extended once, by ${NUMBER_SHOWN_SECONDS} seconds.`
const EXTENDED_WORDS = `Extended by ${NUMBER_SHOWN_SECONDS} seconds. That was the one time: it cannot be extended again.`

const Digits = ({ box, cardNumber }: { box: Ref<HTMLSpanElement>; cardNumber: string }) => (
  <span ref={box} className="flex flex-wrap gap-x-[0.6em]">
    {inFours(cardNumber).map((four, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the groups have no other name than their place.
      <span key={place}>{four}</span>
    ))}
  </span>
)

/** The same mask for every number, so that it reveals nothing. */
const Masked = () => (
  <span aria-hidden className="text-muted-foreground">
    •••• •••• •••• ••••
  </span>
)

const copyWords = {
  no: '',
  yes: 'Copied. The clipboard keeps it until something else is copied: paste it where it belongs, then copy something else.',
  refused: 'The browser did not let it be copied. Read it out instead.',
} as const

const RADIUS = 15
const LENGTH = 2 * Math.PI * RADIUS

const CountdownRing = ({ left, of }: { left: number; of: number }) => (
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

interface Leaving {
  readonly asked: boolean
  stay(): void
  leave(): void
}

/** `onLeave` runs before the page is left. */
function useAskBeforeLeaving(onLeave: () => void): Leaving {
  const [goOn, setGoOn] = useState<(() => void) | null>(null)
  useEffect(() => {
    const letGo = holdPage({ holds: () => true, ask: (leave) => setGoOn(() => leave) })
    // When the session ends, the number is dropped without a question.
    const stopHearing = onSessionEnded(letGo)
    return () => {
      letGo()
      stopHearing()
    }
  }, [])
  return {
    asked: goOn !== null,
    stay: () => setGoOn(null),
    leave: () => {
      onLeave()
      goOn?.()
    },
  }
}
