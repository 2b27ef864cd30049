/** Where a text stands in another, whatever the case of its letters: from and to, in UTF-16 units, none over another. */
export function hitsIn(text: string, wanted: string): readonly (readonly [number, number])[] {
  const words = wanted.trim()
  if (words === '') return []
  const pattern = new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')
  return [...text.matchAll(pattern)].map(({ index, 0: hit }) => [index, index + hit.length])
}
