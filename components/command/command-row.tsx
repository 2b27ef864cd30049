import Link from 'next/link'
import type { ReactNode } from 'react'
import { Badge } from '#components/ui/badge.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import { outcomeStyles } from './outcome-style.ts'

export function OutcomeBadge({ command: { outcome } }: { command: Pick<CommandView, 'outcome'> }) {
  const late = outcome.class === 'done' && outcome.late === true
  const { word, meaning, icon: Icon } = outcomeStyles[late ? 'no-effect' : outcome.class]
  return (
    <Badge variant={meaning}>
      <Icon aria-hidden />
      {late ? 'It happened after all' : word}
    </Badge>
  )
}

export const rowTitle = 'min-w-0 flex-1 basis-[min(12rem,40%)] break-words underline-offset-4 hover:underline'

export function CommandRow({ command, children }: { command: CommandView; children?: ReactNode }) {
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-t px-3.5 py-1.5 text-sm first:border-t-0">
      <OutcomeBadge command={command} />
      <Link href={`/activity/${command.id}`} prefetch={false} className={rowTitle}>
        {command.title}
      </Link>
      {children}
    </li>
  )
}
