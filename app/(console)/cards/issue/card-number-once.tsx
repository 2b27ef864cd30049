import { type Ref, type RefObject, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { guardUnload } from '#components/frame/leave-guard.ts'
import { ButtonLink, Panel } from '#components/frame/panel.tsx'
import { onSessionEnded } from '#components/service/session-events.ts'
import { Button } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import { Check, Copy, Eye, EyeOff, TimerReset } from '#components/ui/icons.tsx'
import { Kbd } from '#components/ui/kbd.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { steadyNowMs, useSecond } from '#components/values/timestamp.tsx'
import { type IssuedCard as Card, inFours, NUMBER_SHOWN_SECONDS } from '#lib/cards/card.ts'

const loadLeaveDialog = () => import('./leave-dialog.tsx')
const LeaveDialog = onDemand(
  () => loadLeaveDialog().then((it) => it.LeaveDialog),
  ({ onStay }) => onStay,
)

/** From this page's memory, in the document only while readable. `onEnd` drops the number for good. */
export function CardNumberOnce({ cardNumber, onEnd }: { cardNumber: string; onEnd: (how: NumberEnd) => void }) {
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
            Show the number <Kbd className="max-sm:hidden pointer-coarse:hidden">{SHOW_KEY.toUpperCase()}</Kbd>
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
      <Suspense>{leaving.confirming ? <LeaveDialog onStay={leaving.stay} onLeave={leaving.leave} /> : null}</Suspense>
    </Panel>
  )
}

const SHOWN_WORDS =
  'Hand it over now. It is masked when you leave this window, and never shown again after the countdown.'
const MASKED_WORDS = 'Masked because you left this window. The countdown continues.'
const ONCE_WORDS = `You can extend it once, by ${NUMBER_SHOWN_SECONDS} seconds.`
const EXTENDED_WORDS = `Extended by ${NUMBER_SHOWN_SECONDS} seconds. It cannot be extended again.`

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
  yes: 'Copied. Paste it, then copy something else to clear the clipboard.',
  refused: 'The browser blocked copying. Read it out instead.',
} as const

const RADIUS = 15
const LENGTH = 2 * Math.PI * RADIUS
const RING = { cx: '18', cy: '18', r: RADIUS, fill: 'none', strokeWidth: '3' }

const CountdownRing = ({ left, of }: { left: number; of: number }) => (
  <span
    role="timer"
    aria-live="off"
    aria-label={`Hidden in ${left} s`}
    className="relative grid size-9 place-items-center"
  >
    <svg viewBox="0 0 36 36" aria-hidden="true" className="absolute inset-0 -rotate-90">
      <circle {...RING} className="stroke-border" />
      <circle
        {...RING}
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

function useAskBeforeLeaving(onLeave: () => void): { readonly confirming: boolean; stay(): void; leave(): void } {
  const [goOn, setGoOn] = useState<(() => void) | null>(null)
  useEffect(() => {
    const letGo = guardUnload({ holds: () => true, ask: (leave) => setGoOn(() => leave) })
    // When the session ends, the number is dropped without a question.
    const stopHearing = onSessionEnded(letGo)
    return () => {
      letGo()
      stopHearing()
    }
  }, [])
  return {
    confirming: goOn !== null,
    stay: () => setGoOn(null),
    leave: () => {
      onLeave()
      goOn?.()
    },
  }
}

const SHOW_KEY = 's'

/** Elements in which the key means something else. */
const OTHER_USES = 'input, textarea, select, [contenteditable], [role="dialog"], [popover]'

const isUnattended = (): boolean => document.visibilityState === 'hidden' || !document.hasFocus()

interface ShownNumber {
  readonly showing: NumberShowing
  readonly left: number
  /** The element for the digits. It must contain nothing else, because masking empties it. */
  readonly digits: RefObject<HTMLSpanElement | null>
  show(): void
  extend(): void
}

/** Masks the number when the window loses focus; ends with time, page or session. `onShow`: on unmasking. */
function useNumberShowing(onEnd: (how: NumberEnd) => void, onShow: () => void): ShownNumber {
  const [showing, setShowing] = useState(() => beginShowing(steadyNowMs(), isUnattended()))
  const digits = useRef<HTMLSpanElement>(null)
  const second = useSecond() ?? 0
  const left = secondsLeft(showing, second * 1000)
  const end = useEffectEvent(onEnd)
  const show = () => {
    // The page's clock may pause while the page is hidden.
    if (secondsLeft(showing, steadyNowMs()) === 0) return
    onShow()
    setShowing((now) => ({ ...now, masked: false }))
  }
  const over = left === 0
  useEffect(() => {
    if (over) end('time')
  }, [over])
  useEffect(() => {
    // Synchronously, because the browser may save the page in its back/forward cache before the next render.
    const empty = () => digits.current?.replaceChildren()
    const mask = () => {
      empty()
      setShowing((now) => ({ ...now, masked: true }))
    }
    const hidden = () => {
      if (document.visibilityState === 'hidden') mask()
    }
    const putAway = () => {
      empty()
      end('left')
    }
    window.addEventListener('blur', mask)
    document.addEventListener('visibilitychange', hidden)
    window.addEventListener('pagehide', putAway)
    const stopHearing = onSessionEnded(() => end('session'))
    return () => {
      window.removeEventListener('blur', mask)
      document.removeEventListener('visibilitychange', hidden)
      window.removeEventListener('pagehide', putAway)
      stopHearing()
    }
  }, [])
  useShowKey(showing.masked, show)
  return { showing, left, digits, show, extend: () => setShowing(extendShowing) }
}

function useShowKey(masked: boolean, onKey: () => void): void {
  const pressed = useEffectEvent(onKey)
  useEffect(() => {
    if (!masked) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== SHOW_KEY || event.ctrlKey || event.metaKey || event.altKey) return
      if (document.activeElement?.closest(OTHER_USES)) return
      event.preventDefault()
      pressed()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [masked])
}

/** The time limit keeps running while the number is masked. */
interface NumberShowing {
  /** Milliseconds of the steady clock, rounded to a second because it ticks in seconds. */
  readonly endsAt: number
  readonly extended: boolean
  readonly masked: boolean
}

const SHOWN_MS = NUMBER_SHOWN_SECONDS * 1000

/** `masked`: the window did not have the focus when the number arrived. */
export const beginShowing = (nowMs: number, masked: boolean): NumberShowing => ({
  endsAt: Math.floor(nowMs / 1000) * 1000 + SHOWN_MS,
  extended: false,
  masked,
})

/** Adds the same time once more; further calls change nothing. */
export const extendShowing = (showing: NumberShowing): NumberShowing =>
  showing.extended ? showing : { ...showing, endsAt: showing.endsAt + SHOWN_MS, extended: true }

/** 0 when the time is over. */
export const secondsLeft = ({ endsAt }: NumberShowing, nowMs: number): number =>
  Math.max(0, Math.ceil((endsAt - nowMs) / 1000))

export type NumberEnd = 'handed-over' | 'hidden' | 'time' | 'left' | 'session'

const REACHED = 'If the holder did not receive it, block this card and issue another.'

const words: Readonly<Record<NumberEnd, string>> = {
  'handed-over': 'Handed over. This console no longer has the number.',
  hidden: `Hidden permanently. ${REACHED}`,
  time: `Time is up. The number is hidden permanently. ${REACHED}`,
  left: `You left the page. The number is hidden permanently. ${REACHED}`,
  session: `Your session ended. The number is hidden permanently. ${REACHED}`,
}

const NOT_SHOWN_HERE = `The number is shown only once and cannot be shown again. ${REACHED}`

/** `ended`: null when this page never showed the number. */
export function IssuedCard({ card, ended, onAnother }: { card: Card; ended: NumberEnd | null; onAnother: () => void }) {
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
        <ButtonLink href={`/cards/${encodeURIComponent(card.id)}`} variant="outline">
          Open the card
        </ButtonLink>
        <Button variant="ghost" onClick={onAnother}>
          Issue another card
        </Button>
      </CardFooter>
    </Panel>
  )
}
