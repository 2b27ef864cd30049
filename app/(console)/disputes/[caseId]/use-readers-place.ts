import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** So near to the end, a reader means to be at the end. */
const AT_END_PX = 48

interface ReadersPlace {
  /** What scrolls. */
  readonly box: RefObject<HTMLElement | null>
  readonly atEnd: boolean
  onScroll(): void
  toEnd(): void
}

/**
 * Keeps the reader's place in a thread while its height, or the height of what stands around it, changes: at the end if
 * they read there, else at the same words.
 */
export function useReadersPlace(): ReadersPlace {
  const box = useRef<HTMLElement>(null)
  const seen = useRef({ atEnd: true, scrollTop: 0, top: 0 })
  const [atEnd, setAtEnd] = useState(true)

  useLayoutEffect(() => {
    const around = box.current
    if (around === null) return
    // Called between layout and paint: no reader sees what was before.
    const observer = new ResizeObserver(() => {
      // While another tab of the case is shown, it has no place at all.
      if (around.clientHeight === 0) return
      const top = around.getBoundingClientRect().top + window.scrollY
      if (seen.current.atEnd) around.scrollTop = around.scrollHeight
      else around.scrollTop += top - seen.current.top
      seen.current.top = top
    })
    for (const element of [around, ...around.children]) observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const onScroll = () => {
    if (box.current === null) return
    const { scrollHeight, scrollTop, clientHeight } = box.current
    const near = scrollHeight - scrollTop - clientHeight < AT_END_PX
    // What has just grown is not near either: only who goes up leaves the end.
    if (near || scrollTop < seen.current.scrollTop) {
      seen.current.atEnd = near
      setAtEnd(near)
    }
    seen.current.scrollTop = scrollTop
  }
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight })
  return { box, atEnd, onScroll, toEnd }
}
