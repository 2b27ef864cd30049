import { notFound } from 'next/navigation'
import { cleanReference } from '#lib/values/visible-text.ts'

/** Decodes a path segment. Answers "not found" if its percent-encoding is invalid. */
export function segmentText(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    notFound()
  }
}

/**
 * {@link segmentText} without invisible characters, which ids of the service never contain. A reference may contain any
 * text.
 */
export const segmentId = (segment: string): string => cleanReference(segmentText(segment))
