import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import type { KeptText } from '#lib/session/unsent-text-place.ts'
import { awaitText, lookForText } from './await-text.ts'
import { forgetAnnounced } from './leaving-cookie.ts'
import { KEPT, type Keeping, onKeeping, page, TextKeeper } from './text-keeper.ts'

const LEAVING = ['beforeunload', 'pagehide'] as const

/** By owner and place. Filled by events in the browser only: the server renders for everyone. */
const keepers = new Map<string, TextKeeper>()

const keeperFor = ({ owner, place }: KeptText): TextKeeper | undefined => keepers.get(`${owner} ${place}`)

function madeKeeperFor(kept: KeptText): TextKeeper {
  const keeper = keeperFor(kept) ?? new TextKeeper(kept)
  keepers.set(`${kept.owner} ${kept.place}`, keeper)
  return keeper
}

/**
 * The text that the page before was still sending. `looking`: it has not arrived. `missing`: nor has it for half a minute.
 * `other`: it has, and something else had been typed here by then; the two can change places.
 */
export type LateText = 'none' | 'looking' | 'missing' | 'other'

export interface UnsentText {
  /** What stands there at first. Another one when a later text has arrived: then that is to stand there. */
  readonly initial: string
  /** What stands there by now. */
  readonly current: () => string
  readonly keeping: Keeping
  readonly late: LateText
  /** Looks once more for the text that is missing. */
  readonly lookAgain: () => void
  /** Puts the other text in the place of the one that stands there, and keeps that in turn. */
  readonly swap: () => void
  /** Called with every change. */
  readonly keep: (text: string) => void
  /** Saves at once; for when a field is left. */
  readonly flush: () => void
  /** Called when the text was sent: it is not unsent any more. */
  readonly forget: () => void
}

/**
 * Keeps what a person types and has not sent, at the server, for them alone: it survives a reload, the end of the session
 * and signing in again. `stored` is what the server had when it made the page; what was typed since is newer, also when a
 * step back shows the page as it was made then. A component that shows another place needs another `key`.
 */
export function useUnsentText(stored: KeptText): UnsentText {
  const [kept] = useState(stored)
  const [initial, setInitial] = useState(() => keeperFor(kept)?.text ?? kept.text)
  const current = () => keeperFor(kept)?.text ?? kept.text
  const keeping = useSyncExternalStore(
    onKeeping,
    () => keeperFor(kept)?.keeping ?? KEPT,
    () => KEPT,
  )
  const keep = (text: string) => madeKeeperFor(kept).keep(text)
  const late = useLateText(kept, {
    touched: () => current() !== kept.text,
    show: (text) => {
      const before = current()
      setInitial(text)
      keep(text)
      return before
    },
  })
  useEffect(() => {
    const flush = () => keeperFor(kept)?.flush()
    const leave = () => keeperFor(kept)?.flush(true)
    document.addEventListener('visibilitychange', flush)
    window.addEventListener('online', flush)
    // Before the next page is asked for, so that a reload shows it; some browsers tell of the other alone.
    for (const leaving of LEAVING) window.addEventListener(leaving, leave)
    return () => {
      document.removeEventListener('visibilitychange', flush)
      window.removeEventListener('online', flush)
      for (const leaving of LEAVING) window.removeEventListener(leaving, leave)
      flush()
    }
  }, [kept])
  return {
    initial,
    current,
    keeping,
    ...late,
    keep,
    flush: () => keeperFor(kept)?.flush(),
    forget: () => {
      if (current() === '') return
      keep('')
      madeKeeperFor(kept).flush()
    },
  }
}

interface Field {
  /** Whether something was typed since the page was made. */
  touched(): boolean
  /** Puts another text into it; answers the one that stood there. */
  show(text: string): string
}

/** Looks for the text that the page before was still sending, and puts it where it belongs. */
function useLateText(kept: KeptText, field: Field): Pick<UnsentText, 'late' | 'lookAgain' | 'swap'> {
  const { place } = kept
  // What this very page announced, and was not left, it still has.
  const awaited = kept.awaited?.page === page ? null : (kept.awaited ?? null)
  const [late, setLate] = useState<LateText>(awaited === null ? 'none' : 'looking')
  const [other, setOther] = useState('')
  const stopLooking = useRef(() => {})
  const show = (text: string | null) => {
    if (text === null) return setLate('missing')
    stopLooking.current()
    madeKeeperFor(kept).waitNoMore()
    if (!field.touched()) {
      field.show(text)
      return setLate('none')
    }
    setOther(text)
    setLate('other')
    // What stands here is the newer one.
    madeKeeperFor(kept).putBack()
  }
  const came = useEffectEvent(show)
  useEffect(() => {
    if (awaited === null) return
    forgetAnnounced(place)
    const keeper = madeKeeperFor(kept)
    keeper.waitFor(awaited, (text) => came(text))
    stopLooking.current = awaitText(place, awaited, (text) => came(text))
    return () => {
      stopLooking.current()
      keeper.waitNoMore()
    }
  }, [kept, place, awaited])
  return {
    late,
    lookAgain: () => {
      if (awaited === null) return
      setLate('looking')
      void lookForText(place, awaited).then(show)
    },
    swap: () => setOther(field.show(other)),
  }
}
