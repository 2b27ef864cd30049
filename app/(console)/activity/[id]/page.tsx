import Link from 'next/link'
import { notFound } from 'next/navigation'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { buttonVariants } from '#components/ui/button.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { placeOf } from '#lib/activity/command-place.ts'
import { commandHistory, type HistoryEvent } from '#lib/activity/history.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { commandStateWords } from '#lib/commands/command-state.ts'
import { requireSession } from '#lib/session/current.ts'
import { own } from '#lib/values/own.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { CommandNow } from './command-now.tsx'

type Params = Promise<{ id: string }>

/** One change: how it stands, and its whole history as the journal has it. */
export default async function ChangePage({ params }: { params: Params }) {
  const session = await requireSession()
  const history = await commandHistory(session, (await params).id)
  if (history === null) notFound()
  return (
    <>
      <PageHead title="Change" lead={history.command.title} action={<PlaceLink command={history.command} />} />
      <div className="grid items-start gap-4 wide:grid-cols-2">
        <CommandNow command={history.command} />
        <Panel title="History">
          <ol className="grid gap-3 px-3.5 py-3 text-sm">
            {history.events.map((event) => (
              <EventLine key={event.sequence} event={event} />
            ))}
          </ol>
        </Panel>
      </div>
    </>
  )
}

function PlaceLink({ command }: { command: CommandView }) {
  const place = placeOf(command)
  if (place === null) return null
  return (
    <Link href={place.href} prefetch={false} className={buttonVariants({ variant: 'outline' })}>
      {place.words}
    </Link>
  )
}

/** As the journal names it. */
const TRACE_ID = 'traceId'

/** What the journal's notes are called on the screen; others stand as they are. */
const noteWords: Readonly<Record<string, string>> = {
  [TRACE_ID]: 'Trace',
  again: 'Sent again',
  answer: 'Answer',
  byName: 'By',
  code: 'Code',
  ended: 'Ended',
  freed: 'Freed',
  late: 'Late',
  needs: 'Needs',
  register: 'Entry in the register',
  shows: 'The service shows',
  status: 'HTTP status',
  what: 'What',
  why: 'Why',
}

function EventLine({ event }: { event: HistoryEvent }) {
  const { word, meaning } = commandStateWords(event.state)
  return (
    <li className="grid gap-1 border-l-2 pl-3">
      <div className="flex flex-wrap items-center gap-2">
        <Badge variant={meaning} title={event.state}>
          {word}
        </Badge>
        <span className="text-muted-foreground">
          <Timestamp value={event.at} />
        </span>
      </div>
      {event.notes.map(([name, value]) => (
        <p key={name} className="break-words text-secondary-foreground">
          <span className="text-muted-foreground" title={name}>
            {own(noteWords, name) ?? name}
          </span>{' '}
          {name === TRACE_ID ? (
            <Reference value={value} name="Trace id" />
          ) : (
            <span className="mono">{visibleText(value)}</span>
          )}
        </p>
      ))}
    </li>
  )
}
