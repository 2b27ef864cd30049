import { CircleAlert } from '#components/ui/icons.tsx'
import { Fact, Facts } from '#components/values/facts.tsx'
import { Money } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { Timestamp, WithTimes } from '#components/values/timestamp.tsx'
import type { Line, Room } from '#lib/commands/command.ts'
import { REVERSAL_LINE } from '#lib/disputes/resolution.ts'
import { visibleText } from '#lib/values/text.ts'
import { ownProperty } from '#lib/values/words.ts'

/** What the limits leave, before anything is typed. `room`: null if it could not be read. */
export function RoomNotes({ room }: { room: readonly Room[] | null }) {
  const notes = room ?? [{ sentence: ROOM_UNREAD, beyond: null }]
  return notes.map(({ sentence, beyond }) => (
    <span key={sentence} className={`flex gap-1.5 ${room !== null && beyond === null ? '' : 'text-attention'}`}>
      {room !== null && beyond === null ? null : <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />}
      <span>
        <WithTimes text={sentence} />
      </span>
    </span>
  ))
}

const ROOM_UNREAD = 'Your limit could not be read. It is checked when you confirm.'

/** `linked`: values that have a page are links, which a dialog must not have. */
export const Lines = ({ lines, linked = false }: { lines: readonly Line[]; linked?: boolean }) => (
  <Facts>
    {lines.map((line) => (
      <Fact key={line.label} label={line.label}>
        <LineValue line={line} linked={linked} />
      </Fact>
    ))}
  </Facts>
)

interface ChangedLinesProps {
  before: readonly Line[]
  now: readonly Line[]
  earlier?: string
}

export function ChangedLines({ before, now, earlier: whenEarlier = 'When you checked' }: ChangedLinesProps) {
  const earlier = new Map(before.map((line) => [line.label, line]))
  const later = new Map(now.map((line) => [line.label, line]))
  const isSame = ({ label }: Line) => earlier.get(label)?.value === later.get(label)?.value
  const labels = new Set([...now, ...before].filter((line) => !isSame(line)).map(({ label }) => label))
  // Versions can differ in something that no line shows.
  if (labels.size === 0) return <Lines lines={now} />
  return (
    <>
      <table className="w-full table-fixed border-y bg-attention-wash text-left text-sm">
        <thead className="text-muted-foreground text-xs">
          <tr>
            <td className="w-[32%]" />
            <th scope="col" className="px-2 pt-2 font-[550]">
              {whenEarlier}
            </th>
            <th scope="col" className="px-2 pt-2 pr-3.5 font-[550]">
              Now
            </th>
          </tr>
        </thead>
        <tbody className="align-baseline">
          {[...labels].map((label) => (
            <tr key={label}>
              <th scope="row" className="break-words py-1.5 pl-3.5 font-normal text-secondary-foreground">
                {label}
              </th>
              {[earlier.get(label), later.get(label)].map((line, at) => (
                <td
                  key={at === 0 ? 'before' : 'now'}
                  className="break-words px-2 py-1.5 last:pr-3.5 last:font-semibold"
                >
                  {line === undefined ? '–' : <LineValue line={line} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {now.some(isSame) ? <Lines lines={now.filter(isSame)} /> : null}
    </>
  )
}

const pages: Readonly<Record<string, string>> = {
  [REVERSAL_LINE]: '/transactions',
  Case: '/disputes',
  Card: '/cards',
  Terminal: '/terminals',
  Transaction: '/transactions',
  Reference: '/transactions',
  Sender: '/users',
  Recipient: '/users',
  Holder: '/users',
}

function hrefOf({ label, value }: Line, linked: boolean): string | undefined {
  const page = linked || label === REVERSAL_LINE ? ownProperty(pages, label) : undefined
  return page === undefined ? undefined : `${page}/${encodeURIComponent(value)}`
}

function LineValue({ line, linked = false }: { line: Line; linked?: boolean }) {
  switch (line.as) {
    case 'money':
      return <Money amount={line.value} />
    case 'reference':
      return <Reference value={line.value} name={line.label} href={hrefOf(line, linked)} />
    case 'id':
      return <Reference mark value={line.value} name={line.label} href={hrefOf(line, linked)} />
    case 'state':
      return <StateBadge state={line.value} />
    case 'card-state':
      return <StateBadge state={line.value} of="card" />
    case 'terminal-state':
      return <StateBadge state={line.value} of="terminal" />
    case 'case-state':
      return <StateBadge state={line.value} of="case" />
    case 'time':
      return <Timestamp value={line.value} />
    case 'mono':
      return <span className="mono break-all">{visibleText(line.value)}</span>
    case 'text':
      return visibleText(line.value)
  }
}
