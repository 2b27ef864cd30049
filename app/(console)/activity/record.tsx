import type { ReactNode } from 'react'
import { Lines } from '#components/command/lines.tsx'
import { ButtonLink, Panel } from '#components/frame/panel.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { placeOf } from '#lib/activity/command-place.ts'
import { noteWords, shownEntry, TRACE_ID } from '#lib/activity/entry-words.ts'
import { commandHistory, type HistoryEvent } from '#lib/activity/history.ts'
import { commandStateWords, type Place } from '#lib/commands/command.ts'
import type { Session } from '#lib/session/session.ts'
import { visibleText } from '#lib/values/text.ts'
import { CommandNow, EraseText } from './[id]/command-now.tsx'

export interface ShownRecord {
  readonly heading: string
  readonly title: string
  readonly place: ReactNode
  readonly request: ReactNode
  readonly events: ReactNode
}

/** A change or an audit entry. Null if it does not exist or the person may not see it. */
export async function readRecord(session: Session, id: string): Promise<ShownRecord | null> {
  const history = await commandHistory(session, id)
  if (history !== null) {
    const { command, summary, events, erasable, erasedAt } = history
    return {
      heading: 'Change',
      title: command.title,
      place: <PlaceLink place={placeOf(command)} />,
      request: (
        <div className="grid gap-4">
          <CommandNow key={`${id} ${erasedAt}`} command={command} />
          <EraseText key={id} id={id} erasable={erasable} />
          {summary.length === 0 ? null : (
            <Panel title="What was requested">
              <Lines lines={summary} />
            </Panel>
          )}
        </div>
      ),
      events: (
        <Panel title="History" aside={<span className="text-muted-foreground text-sm">oldest first</span>}>
          <ol className="px-3.5 py-3 text-sm">
            {events.map((event) => (
              <EventItem key={event.sequence} event={event} />
            ))}
          </ol>
        </Panel>
      ),
    }
  }
  const entry = await shownEntry(session, id)
  if (entry === null) return null
  return {
    heading: 'Audit trail',
    title: entry.title,
    place: <PlaceLink place={entry.place} />,
    request: (
      <Panel title="What was recorded" className="max-w-3xl">
        <Lines lines={entry.lines} />
      </Panel>
    ),
    events: null,
  }
}

export function PlaceLink({ place }: { place: Place | null }) {
  if (place === null) return null
  return (
    <ButtonLink href={place.href} variant="outline">
      {place.words}
    </ButtonLink>
  )
}

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
        <span className={words === value && !value.includes(' ') ? 'mono' : ''}>{visibleText(words)}</span>
      )}
    </p>
  )
}
