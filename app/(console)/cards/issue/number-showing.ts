import { NUMBER_SHOWN_SECONDS } from '#lib/cards/card.ts'

/** The time limit keeps running while the number is masked. */
export interface NumberShowing {
  /** Milliseconds since 1970, rounded to a second because the page's clock ticks in seconds. */
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
