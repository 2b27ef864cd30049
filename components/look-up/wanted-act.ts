import { useEffect, useEffectEvent } from 'react'

/** What the omnibox lets a page do that has what it takes. */
type Act = 'assign-oldest'

/** A page that has not come by then was not reached. */
const WANTED_FOR_MS = 10_000
const EVENT = 'console-wanted-act'

/** In this tab's memory alone: an address must not do anything. */
let wanted: { readonly act: Act; readonly until: number } | null = null

/** Asks for an act, at once on the page that does it, else as soon as that is there. */
export function wantAct(act: Act): void {
  wanted = { act, until: Date.now() + WANTED_FOR_MS }
  window.dispatchEvent(new Event(EVENT))
}

/** Whether an act is asked for; from then on it is not, since it is done once. */
export function takeAct(act: Act): boolean {
  const asked = wanted?.act === act && Date.now() < wanted.until
  if (asked) wanted = null
  return asked
}

/** Runs `onAct` when the omnibox asks for it, or has asked on the way to this page. */
export function useWantedAct(act: Act, onAct: () => void): void {
  const take = useEffectEvent(() => {
    if (takeAct(act)) onAct()
  })
  useEffect(() => {
    const listener = () => take()
    listener()
    window.addEventListener(EVENT, listener)
    return () => window.removeEventListener(EVENT, listener)
  }, [])
}
