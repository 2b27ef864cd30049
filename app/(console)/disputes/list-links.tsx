import Link from 'next/link'
import type { CaseList } from '#lib/disputes/queue/queue.ts'
import { segment, segments } from './segments.ts'

const lists: readonly (readonly [list: CaseList, word: string])[] = [
  ['OPEN', 'Open'],
  ['RESOLVED', 'Resolved'],
  ['ALL', 'All'],
]

/** The three lists: each is read anew, with no filter. */
export const ListLinks = ({ list }: { list: CaseList }) => (
  <nav aria-label="Cases by status" className={segments}>
    {lists.map(([other, word]) => (
      <Link
        key={other}
        href={`/disputes?status=${other.toLowerCase()}`}
        prefetch={false}
        aria-current={other === list ? 'page' : undefined}
        className={segment}
      >
        {word}
      </Link>
    ))}
  </nav>
)
