import { useServerSecond } from '#components/values/timestamp.tsx'
import type { IndexState } from '#lib/disputes/queue/queue.ts'
import { ageText } from '#lib/values/time.ts'

/** How old the pages are that the list was read in: `read 12 s to 95 s ago`, and how far the next reading is. */
export function IndexAge({ index }: { index: IndexState }) {
  const second = useServerSecond()
  const { oldestReadAt, newestReadAt, reading, completeAt } = index
  // On the server there is no present, and nothing to count from it.
  if (second === null || oldestReadAt === null || newestReadAt === null) return null
  const [newest, oldest] = [newestReadAt, oldestReadAt].map((at) => ageText(at, second * 1000))
  const span = newest === oldest ? newest : `${newest} to ${oldest}`
  const again =
    reading === null || completeAt === null
      ? ''
      : `, being read again: ${reading.pages.toLocaleString('en-US')} of ${reading.of.toLocaleString('en-US')} pages`
  return (
    <span className="figures">
      {span === 'now' ? 'read just now' : `read ${span} ago`}
      {again}
    </span>
  )
}
