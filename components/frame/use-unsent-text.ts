import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import type { KeptText } from '#lib/session/unsent-text-place.ts'
import { awaitText, lookForText } from './await-text.ts'
import { forgetAnnounced } from './leaving-cookie.ts'
import { KEPT, type Keeping, onKeeping, page, TextKeeper } from './text-keeper.ts'

const LEAVING = ['beforeunload', 'pagehide'] as const

/** Filled in the browser only: on the server, operators would share it. */
const keepers = new Map<string, TextKeeper>()

const keeperFor = ({ owner, place }: KeptText): TextKeeper | undefined => keepers.get(`${owner} ${place}`)

function madeKeeperFor(kept: KeptText): TextKeeper {
  const keeper = keeperFor(kept) ?? new TextKeeper(kept)
  keepers.set(`${kept.owner} ${kept.place}`, keeper)
  return keeper
}

/**
 * The previous page's text. `missing`: not arrived within 30 seconds. `other`: arrived after the operator had typed
 * something else.
 */
export type LateText = 'none' | 'looking' | 'missing' | 'other'

export interface UnsentText {
  /** Changes when a later text arrives; the field must then show it. */
  readonly initial: string
  readonly current: () => string
  readonly keeping: Keeping
  readonly late: LateText
  readonly lookAgain: () => void
  readonly swap: () => void
  readonly keep: (text: string) => void
  readonly flush: () => void
  /** Call when the text was sent. */
  readonly forget: () => void
}

/**
 * Saves unsent text on the server, for that operator only; it survives a reload and a new sign-in. Text that this tab
 * typed after `stored` is newer. To show another place, change `key`.
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
    // `beforeunload` runs before the next page is requested; some browsers fire only `pagehide`.
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
  touched(): boolean
  /** Returns the replaced text. */
  show(text: string): string
}

function useLateText(kept: KeptText, field: Field): Pick<UnsentText, 'late' | 'lookAgain' | 'swap'> {
  const { place } = kept
  // This page was not left after all, so it still holds the text.
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
    // The text in the field is newer.
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
