import type { QueueNews } from '#lib/disputes/queue/queue.ts'

/** `3 new, 1 changed, 2 gone`; empty when there are no changes. */
export function newsWords({ added, changed, gone, moved }: QueueNews): string {
  const parts: readonly (readonly [count: number, word: string])[] = [
    [added, 'new'],
    [changed.length, 'changed'],
    [gone.length, 'gone'],
  ]
  const told = parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count.toLocaleString('en-US')} ${word}`]))
  return told.length === 0 && moved ? 'Rows moved' : told.join(', ')
}
