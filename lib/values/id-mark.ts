export const MARK_SHAPES = 8
export const MARK_COLOURS = 6

export interface MarkHalf {
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
