import { notFound } from 'next/navigation'
import { cleanReference } from '#lib/values/visible-text.ts'

/** A segment of a page's address as text; not found if its escapes are not text. */
export function segmentText(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    notFound()
  }
}

/** {@link segmentText} of an id of the service, which never has invisible characters. A reference may be any text. */
export const segmentId = (segment: string): string => cleanReference(segmentText(segment))
