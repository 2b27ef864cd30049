import { useEffect, useEffectEvent } from 'react'

type Act = 'assign-oldest'

/** A page that has not opened by then will not run the act. */
const WANTED_FOR_MS = 10_000
const EVENT = 'console-wanted-act'

/** Only in memory: an address must not be able to trigger an act. */
let wanted: { readonly act: Act; readonly until: number } | null = null

/** Runs at once if the page for it is open, otherwise when that page opens. */
export function wantAct(act: Act): void {
  wanted = { act, until: Date.now() + WANTED_FOR_MS }
  window.dispatchEvent(new Event(EVENT))
}

/** Returns true at most once per request. */
export function takeAct(act: Act): boolean {
  const asked = wanted?.act === act && Date.now() < wanted.until
  if (asked) wanted = null
  return asked
}

/** Also runs for a request made before this page opened. */
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
