import { isSegment } from '#lib/contract/endpoint.ts'
import { isStorable, UNSTORABLE_WORDS } from '#lib/contract/json.ts'

const REFERENCE_MAX_CHARS = 512

export function referenceFault(reference: string): string | null {
  const length = [...reference].length
  if (reference.trim() === '') return 'Enter the reference from the bank notice.'
  if (length > REFERENCE_MAX_CHARS) {
    return `This has ${length.toLocaleString('en-US')} characters; no reference has more than ${REFERENCE_MAX_CHARS}. Check that only the reference was pasted.`
  }
  if (!isStorable(reference)) return UNSTORABLE_WORDS
  return isSegment(reference) ? null : '“.” and “..” stand for places, so this is no reference. Check what was pasted.'
}
