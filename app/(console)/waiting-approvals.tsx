import Link from 'next/link'
import { rowTitle } from '#components/command/command-row.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import { isApprovedView, type WaitingApprovals as Waiting } from '#lib/commands/command.ts'

export function WaitingApprovals({ toDecide, own, notApproved }: Waiting) {
  if (toDecide.length + own.length + notApproved.length === 0) return null
  return (
    <Panel title="Approvals" meaning={toDecide.length + own.length === 0 ? 'neutral' : 'attention'}>
      <ul>
        {toDecide.map((command) => (
          <Item key={command.id} command={command} href={`/approvals/${command.id}`} word="your decision" />
        ))}
        {own.map((command) => (
          <Item key={command.id} command={command} href={`/activity/${command.id}`} word={ownWord(command)} />
        ))}
        {notApproved.map((command) => (
          <Item key={command.id} command={command} href={`/activity/${command.id}`} word="not approved" />
        ))}
      </ul>
    </Panel>
  )
}

interface ItemProps {
  command: CommandView
  href: string
  word: string
}

const Item = ({ command: { title, actorName, outcome }, href, word }: ItemProps) => (
  <li className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-t px-3.5 py-1.5 text-sm first:border-t-0">
    <Badge variant="attention">{word}</Badge>
    <Link href={href} prefetch={false} className={rowTitle}>
      {title}
    </Link>
    <span className="min-w-0 break-words text-muted-foreground">
      {actorName}
      {outcome.class === 'refused' ? `, ${outcome.title}` : null}
      {outcome.class === 'approval' ? (
        <>
          , expires <Timestamp value={outcome.expiresAt} as="ahead" />
        </>
      ) : null}
    </span>
  </li>
)

const ownWord = (command: CommandView): string => (isApprovedView(command) ? 'send it' : 'others decide')
