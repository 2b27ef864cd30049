import { notFound } from 'next/navigation'
import { Lines } from '#components/command/lines.tsx'
import { PageHead } from '#components/frame/page-head.tsx'
import { ButtonLink, Panel } from '#components/frame/panel.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { placeOf } from '#lib/activity/command-place.ts'
import { noteWords, shownEntry, TRACE_ID } from '#lib/activity/entry-words.ts'
import { type CommandHistory, commandHistory, type HistoryEvent } from '#lib/activity/history.ts'
import { commandStateWords, type Place } from '#lib/commands/command.ts'
import { requireSession } from '#lib/session/current.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { CommandNow } from './command-now.tsx'

export default async function ChangePage({ params }: { params: Promise<{ id: string }> }) {
  const session = await requireSession()
  const { id } = await params
  const history = await commandHistory(session, id)
  if (history !== null) return <Change history={history} />
  const entry = await shownEntry(session, id)
  if (entry === null) notFound()
  return (
    <>
      <PageHead title="Audit trail" lead={visibleText(entry.title)} action={<PlaceLink place={entry.place} />} />
      <Panel title="What was recorded" className="max-w-3xl">
        <Lines lines={entry.lines} />
      </Panel>
    </>
  )
}

function Change({ history }: { history: CommandHistory }) {
  const place = placeOf(history.command)
  return (
    <>
      <PageHead title="Change" lead={history.command.title} action={<PlaceLink place={place} />} />
      <div className="grid items-start gap-4 wide:grid-cols-2">
        <div className="grid gap-4">
          <CommandNow command={history.command} />
          {history.summary.length === 0 ? null : (
            <Panel title="What was requested">
              <Lines lines={history.summary} />
            </Panel>
          )}
        </div>
        <Panel title="History" aside={<span className="text-muted-foreground text-sm">oldest first</span>}>
          <EventLine events={history.events} />
        </Panel>
      </div>
    </>
  )
}

function PlaceLink({ place }: { place: Place | null }) {
  if (place === null) return null
  return (
    <ButtonLink href={place.href} variant="outline">
      {place.words}
    </ButtonLink>
  )
}

const EventLine = ({ events }: { events: readonly HistoryEvent[] }) => (
  <ol className="px-3.5 py-3 text-sm">
    {events.map((event) => (
      <EventItem key={event.sequence} event={event} />
    ))}
  </ol>
)

function EventItem({ event }: { event: HistoryEvent }) {
  const { word, meaning } = commandStateWords(event.state)
  return (
    <li className="relative grid gap-1 border-l pb-4 pl-4 last:border-transparent last:pb-0">
      <span aria-hidden className="absolute top-1.5 -left-[5px] size-2.5 rounded-full bg-muted-foreground" />
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge variant={meaning} title={event.state}>
          {word}
        </Badge>
        <span>{event.by === null ? 'by the console' : `by ${visibleText(event.by)}`}</span>
        <span className="ml-auto text-muted-foreground">
          <Timestamp value={event.at} />
        </span>
      </div>
      {event.notes.map(([name, value]) => (
        <NoteLine key={name} name={name} value={value} />
      ))}
    </li>
  )
}

function NoteLine({ name, value }: { name: string; value: string }) {
  const [label, words] = noteWords(name, value)
  return (
    <p className="break-words text-secondary-foreground">
      <span className="text-muted-foreground" title={name}>
        {label}
      </span>{' '}
      {name === TRACE_ID ? (
        <Reference value={value} name="Trace id" />
      ) : (
        <span className={words === value ? 'mono' : ''}>{visibleText(words)}</span>
      )}
    </p>
  )
}
