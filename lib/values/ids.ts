const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const TAIL_CHARS = 6

export const isUuid = (text: string): boolean => UUID.test(text)

/** `…000011` */
export const shortId = (id: string): string => `…${id.trim().slice(-TAIL_CHARS)}`

export function userIdFault(id: string): string | null {
  if (id.trim() === '') return 'Enter a user id.'
  if (id.includes('@')) return 'Users are found by id, not by e-mail address.'
  if (isUuid(id)) return null
  return 'Not a user id. An id has 36 characters, like 3f2b8c1e-5d04-4b7a-9e61-0c8d2f7a4e15.'
}

/** The service may write ids in either case. */
export const sameAccount = (id: string, other: string): boolean => id.toLowerCase() === other.toLowerCase()

export const MARK_SHAPES = 8
export const MARK_COLOURS = 6

interface MarkHalf {
  readonly shape: number
  readonly colour: number
}

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

export function idMark(id: string): readonly [MarkHalf, MarkHalf] {
  const hash = spread(fnv1a(id.trim().toLowerCase()))
  const half = (bits: number): MarkHalf => ({
    shape: bits % MARK_SHAPES,
    colour: Math.floor(bits / MARK_SHAPES) % MARK_COLOURS,
  })
  return [half(hash & 0xffff), half(hash >>> 16)]
}

/** UTF-16 units, 32 bits. */
function fnv1a(text: string): number {
  let hash = FNV_OFFSET
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
  return hash >>> 0
}

/** The final step of MurmurHash3: similar ids get different marks. */
function spread(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}
