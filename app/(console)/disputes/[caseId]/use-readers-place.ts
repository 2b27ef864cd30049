import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** A reader within this distance of the end counts as being at the end. */
const AT_END_PX = 48

interface ReadersPlace {
  readonly box: RefObject<HTMLElement | null>
  readonly atEnd: boolean
  onScroll(): void
  toEnd(): void
}

/**
 * Keeps the scroll position while the thread or its surroundings change height: at the end if the reader was there,
 * otherwise at the same text.
 */
export function useReadersPlace(): ReadersPlace {
  const box = useRef<HTMLElement>(null)
  const seen = useRef({ atEnd: true, scrollTop: 0, top: 0 })
  const [atEnd, setAtEnd] = useState(true)

  useLayoutEffect(() => {
    const around = box.current
    if (around === null) return
    // The browser calls this between layout and paint, so no wrong position is painted.
    const observer = new ResizeObserver(() => {
      // The thread has no height while another tab of the case is shown.
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
    // New content also increases the distance to the end, so only scrolling up counts as leaving it.
    if (near || scrollTop < seen.current.scrollTop) {
      seen.current.atEnd = near
      setAtEnd(near)
    }
    seen.current.scrollTop = scrollTop
  }
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight })
  return { box, atEnd, onScroll, toEnd }
}
