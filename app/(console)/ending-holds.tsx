import { MoreLink, Panel } from '#components/frame/panel.tsx'
import { Money } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { EndingHolds as Holds } from '#lib/deposits/confirmed-deposits.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import type { Counted } from './home-number.tsx'

export function countHolds({ holds, count, everyone }: Holds): Counted {
  const next = holds[0]
  if (next === undefined) return { value: count, words: `of deposits confirmed here${everyone ? '' : ' by you'}` }
  const words = (
    <span>
      next <Timestamp value={next.endsAt} as="ahead" />, {shownAmount(next.amount)} BZD
    </span>
  )
  return { value: count, words }
}

export function EndingHolds({ holds: { holds, count } }: { holds: Holds }) {
  if (holds.length === 0) return null
  return (
    <Panel
      title="Holds ending within 24 hours"
      aside={
        holds.every(({ readNow }) => readNow) ? null : (
          <span className="text-muted-foreground text-sm">some could not be read</span>
        )
      }
    >
      <ul>
        {holds.map(({ reference, amount, endsAt, latest, readNow }) => (
          <li
            key={reference}
            className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-t px-3.5 py-1.5 text-sm first:border-t-0"
          >
            <span className="min-w-0 flex-1">
              <Reference
                short
                value={reference}
                name="Reference"
                href={`/transactions/${encodeURIComponent(reference)}`}
              />
            </span>
            <Money amount={amount} />
            <span className="text-muted-foreground">
              {latest ? 'at the latest ' : null}
              <Timestamp value={endsAt} as="ahead" />
              {readNow ? null : ', as last seen'}
            </span>
          </li>
        ))}
      </ul>
      <MoreLink count={count === null ? null : count - holds.length} href="/deposits" />
    </Panel>
  )
}
