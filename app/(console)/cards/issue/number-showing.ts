import { NUMBER_SHOWN_SECONDS } from '#lib/cards/card.ts'

/** How a card number is shown. Its time goes on running while it is masked. */
export interface NumberShowing {
  /** Milliseconds since 1970, a whole second: the clock on the page ticks in seconds. */
  readonly endsAt: number
  readonly extended: boolean
  readonly masked: boolean
}

const SHOWN_MS = NUMBER_SHOWN_SECONDS * 1000

/** `masked`: nobody is in front of the window in which it comes up. */
export const beginShowing = (nowMs: number, masked: boolean): NumberShowing => ({
  endsAt: Math.floor(nowMs / 1000) * 1000 + SHOWN_MS,
  extended: false,
  masked,
})

/** As long again, once; a second time changes nothing. */
export const extendShowing = (showing: NumberShowing): NumberShowing =>
  showing.extended ? showing : { ...showing, endsAt: showing.endsAt + SHOWN_MS, extended: true }

/** 0: it is over. */
export const secondsLeft = ({ endsAt }: NumberShowing, nowMs: number): number =>
  Math.max(0, Math.ceil((endsAt - nowMs) / 1000))
