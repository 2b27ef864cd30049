import { notFound } from 'next/navigation'

/** A segment of a page's address as text. Where its escapes are no text there is no such page. */
export function segmentText(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    notFound()
  }
}
