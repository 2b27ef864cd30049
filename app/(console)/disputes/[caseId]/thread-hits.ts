/** Case-insensitive matches as start and end in UTF-16 units, without overlaps. */
export function hitsIn(text: string, wanted: string): readonly (readonly [number, number])[] {
  const words = wanted.trim()
  if (words === '') return []
  const pattern = new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')
  return [...text.matchAll(pattern)].map(({ index, 0: hit }) => [index, index + hit.length])
}
