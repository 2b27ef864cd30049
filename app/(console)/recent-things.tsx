import { Suspense } from 'react'
import { EmptyRows, Panel } from '#components/frame/panel.tsx'
import { PinButton } from '#components/look-up/pin-button.tsx'
import { Pin as PinIcon } from '#components/ui/icons.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { isPinned, recentThings } from '#lib/look-up/recent-things.ts'
import { idNameOf, placeOfThing, type RecentThing, type Thing, type ThingKind } from '#lib/look-up/thing.ts'
import type { Session } from '#lib/session/session.ts'
import { visibleText } from '#lib/values/text.ts'

export const StartList = async ({ session, kind, words }: { session: Session; kind: ThingKind; words: string }) => (
  <ThingList things={await recentThings(session, kind)} words={words} />
)

const ThingList = ({ things, words }: { things: readonly RecentThing[]; words: string }) => (
  <Panel title="Pinned and recent">
    {things.length === 0 ? (
      <div className="px-3.5 py-4 text-secondary-foreground text-sm">
        <EmptyRows title={`No recent ${words}`}>
          What you open appears here, visible only to you. Pin what you need often.
        </EmptyRows>
      </div>
    ) : (
      <ul aria-label={`Pinned and recent ${words}`} className="py-1">
        {things.map((thing) => (
          <ThingRow key={thing.id} thing={thing} />
        ))}
      </ul>
    )}
  </Panel>
)

const ThingRow = ({ thing }: { thing: RecentThing }) => (
  <li className="flex min-h-9 items-center gap-3 px-3.5 text-sm hover:bg-background">
    <span className="grid size-4 shrink-0 place-items-center text-muted-foreground">
      {thing.pinned ? <PinIcon role="img" aria-label="Pinned" className="size-4" /> : null}
    </span>
    <span className="min-w-0 flex-1">
      <Reference short value={thing.id} name={idNameOf(thing)} href={placeOfThing(thing)} />
    </span>
    {thing.label === '' ? null : <bdi className="truncate text-secondary-foreground">{visibleText(thing.label)}</bdi>}
    <span className="shrink-0 text-right text-muted-foreground">
      <Timestamp value={thing.shownAt} as="past" />
    </span>
    <PinButton thing={thing} pinned={thing.pinned} label={thing.label} small />
  </li>
)

interface PinProps {
  session: Session
  thing: Thing
}

export const Pin = (props: PinProps) => (
  <Suspense fallback={null}>
    <PinAsItIs {...props} />
  </Suspense>
)

const PinAsItIs = async ({ session, thing }: PinProps) => (
  <PinButton thing={thing} pinned={await isPinned(session, thing)} />
)
