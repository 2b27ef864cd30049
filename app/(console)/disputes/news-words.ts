import type { QueueNews } from '#lib/disputes/queue/queue.ts'

/** `3 new, 1 changed, 2 gone`; empty when there is nothing new. */
export function newsWords({ added, changed, gone }: QueueNews): string {
  const parts: readonly (readonly [readonly string[], string])[] = [
    [added, 'new'],
    [changed, 'changed'],
    [gone, 'gone'],
  ]
  return parts.flatMap(([ids, word]) => (ids.length === 0 ? [] : [`${ids.length} ${word}`])).join(', ')
}
