import { useEffect, useEffectEvent } from 'react'

export type Act = 'assign-next'

/** A page that opens later does not run the act. */
const WANTED_FOR_MS = 10_000
const EVENT = 'console-wanted-act'

/** Only in memory: an address must not be able to trigger an act. */
let wanted: { readonly act: Act; readonly until: number } | null = null

/** Runs at once, or when the page for it opens. */
export function requestAct(act: Act): void {
  wanted = { act, until: Date.now() + WANTED_FOR_MS }
  window.dispatchEvent(new Event(EVENT))
}

/** True at most once per request. */
export function takeRequestedAct(act: Act | null): boolean {
  const requested = wanted?.act === act && Date.now() < wanted.until
  if (requested) wanted = null
  return requested
}

/** Also runs for a request made before this page opened. */
export function useRequestedAct(act: Act | null, onAct: () => void): void {
  const take = useEffectEvent(() => {
    if (takeRequestedAct(act)) onAct()
  })
  useEffect(() => {
    const listener = () => take()
    listener()
    window.addEventListener(EVENT, listener)
    return () => window.removeEventListener(EVENT, listener)
  }, [])
}
