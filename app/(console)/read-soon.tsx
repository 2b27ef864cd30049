import type { ReactNode } from 'react'
import { ReadPlace } from '#components/frame/read-place.tsx'

/** The longest wait for content before the first byte. An outline that is replaced sooner than this would flicker. */
const SOON_MS = 50

type Content = Promise<Awaited<ReactNode>>

/** Starts a read early. If the page redirects before it awaits the read, a failure is not an unhandled rejection. */
export function begun(content: Content): Content {
  content.catch(() => {})
  return content
}

/**
 * Renders content that arrives within `SOON_MS` at once, and an outline for slower content. A failure is thrown inside
 * the frame, so the frame is always there.
 */
export async function ReadSoon({ content, outline }: { content: Content; outline: ReactNode }) {
  const soon = content.then(
    (node) => ({ node }),
    () => null,
  )
  const first = await Promise.race([soon, new Promise<null>((done) => setTimeout(done, SOON_MS, null))])
  return (
    <ReadPlace soon={first !== null} outline={first === null ? outline : null}>
      {first === null ? content : first.node}
    </ReadPlace>
  )
}
