import type { ReactNode } from 'react'
import { ReadPlace } from '#components/frame/read-place.tsx'

/** For so long a page waits for what it reads before its first byte: an outline that goes sooner is a flicker. */
const SOON_MS = 50

/** Reads, and then is what came of it. */
type Content = Promise<Awaited<ReactNode>>

/** Begins to read while the page waits for something else. Where the page redirects meanwhile, a failed read is not an unhandled error. */
export function begun(content: Content): Content {
  content.catch(() => {})
  return content
}

/**
 * What a page read: in its first bytes where it comes soon, else in outline until it has come. A failure stands where late
 * rows would, so that the frame is there in any case.
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
