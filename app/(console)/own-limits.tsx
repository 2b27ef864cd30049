import Link from 'next/link'
import { usedWords } from '#components/command/limit-words.ts'
import { Panel } from '#components/frame/panel.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { kindWords } from '#lib/activity/kind-words.ts'
import type { LimitUse } from '#lib/commands/command.ts'

/** What the person has used of their limits; nothing where the policy has none. */
export function OwnLimits({ limits }: { limits: readonly LimitUse[] }) {
  if (limits.length === 0) return null
  return (
    <Panel
      title="Your limits in 24 hours"
      aside={
        <Link
          href="/security/policy"
          prefetch={false}
          className="text-primary text-sm underline-offset-4 hover:underline"
        >
          Policy
        </Link>
      }
    >
      <dl className="divide-y text-sm">
        {limits.map((limit) => (
          <div key={keyOf(limit)} className="grid gap-0.5 px-3.5 py-2.5">
            <dt className="text-secondary-foreground">{`${kindWords[limit.kind]}${limit.counting === '' ? '' : `, ${limit.counting}`}`}</dt>
            <dd className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="figures">{usedWords(limit)}</span>
              {limit.lessAt === null ? null : (
                <span className="text-muted-foreground">
                  more room <Timestamp value={limit.lessAt} as="ahead" />
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

const keyOf = ({ kind, counting, sum, count }: LimitUse): string => `${kind} ${counting} ${sum?.limit} ${count?.limit}`
