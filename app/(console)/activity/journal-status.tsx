'use client'

import { type ComponentProps, useState } from 'react'
import { Panel } from '#components/frame/panel.tsx'
import { askConsole, problemIn } from '#components/service/ask-console.ts'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { Badge, badgeOf } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { ShieldAlert, ShieldCheck } from '#components/ui/icons.tsx'
import { Reference } from '#components/values/reference.tsx'
import { ClockTime, Timestamp, useDayZone } from '#components/values/timestamp.tsx'
import type { JournalCheck } from '#lib/activity/journal-check.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { WitnessStatus } from '#lib/journal/witness.ts'
import { visibleText } from '#lib/values/text.ts'
import { dayOf } from '#lib/values/time.ts'
import { counted, formatCount } from '#lib/values/words.ts'

export function JournalStatus({ latest, witness }: { latest: JournalCheck | null; witness: WitnessStatus | null }) {
  const [own, setOwn] = useState<JournalCheck | null>(null)
  const check = own !== null && (latest === null || own.at >= latest.at) ? own : latest
  const [problem, setProblem] = useState<Problem | null>(null)
  const [checking, setChecking] = useState(false)
  const run = async () => {
    if (checking) return
    setChecking(true)
    setProblem(null)
    const answer = await askConsole('/api/activity/check', { method: 'POST' })
    setChecking(false)
    if (answer?.status === 200) setOwn((answer.body as { check: JournalCheck }).check)
    else setProblem(problemIn(answer))
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <span role="status">
          <CheckBadge check={check} />
        </span>
        <WitnessBadge witness={witness} />
        <Button variant="outline" aria-disabled={checking} onClick={() => void run()}>
          {checking ? 'Checking every event' : 'Check the journal'}
        </Button>
      </div>
      <div role="alert" className="basis-full empty:hidden">
        {witness?.conflict ? <WitnessConflict size={witness.size} confirmed={witness.conflict.size} /> : null}
        {check === null || check.faults.length === 0 ? null : <BrokenJournal check={check} />}
        {problem === null ? null : (
          <Card className="mt-2">
            <ProblemPanel problem={problem} />
          </Card>
        )}
      </div>
    </>
  )
}

const COVERS = 'A check shows every event that was altered, removed or added. Covers changes, sign-ins and exports.'

export function CheckBadge({ check }: { check: JournalCheck | null }) {
  const zone = useDayZone()
  if (check === null) return <Explained hint={COVERS}>Not checked yet</Explained>
  const { at, byName, events, root, faults } = check
  if (faults.length > 0) return badgeOf(ShieldAlert, 'danger', 'Journal altered')
  const day = dayOf(Date.parse(at), zone)
  const hint = `Checked by ${visibleText(byName)}: nothing was altered, removed or added. Covers changes, sign-ins and exports.\nRoot hash ${root}`
  return (
    <Explained variant="good" hint={hint} icon={ShieldCheck}>
      <span>
        {counted(events, 'event')} checked {day === dayOf(Date.now(), zone) ? 'at' : `on ${day} at`}{' '}
        <ClockTime value={at} to="minute" />
      </span>
    </Explained>
  )
}

const Explained = ({ hint, ...badge }: ComponentProps<typeof Badge> & { hint: string }) => (
  <Badge variant="neutral" data-hint={hint} aria-description={hint} {...badge} />
)

const SILENT_SECONDS = 300
const NO_WITNESS = 'No other machine confirms the journal. A person with the database and the keys could rewrite it.'

export function WitnessBadge({ witness }: { witness: WitnessStatus | null }) {
  const zone = useDayZone()
  if (witness === null) return <Explained hint={NO_WITNESS}>No witness</Explained>
  const { size, confirmedSize, confirmedAt, lagSeconds, conflict } = witness
  if (conflict !== null) return <Badge variant="danger">Witness disagrees</Badge>
  if (confirmedAt === null) return <Badge variant="attention">Witness has not confirmed yet</Badge>
  const left = size - confirmedSize
  const hint = `The witness has confirmed ${left === 0 ? 'all' : `all but ${formatCount(left)} of`} ${counted(size, 'entry', 'entries')} of the journal. If these are altered later, it shows.`
  const day = dayOf(Date.parse(confirmedAt), zone)
  return (
    <Explained variant={lagSeconds > SILENT_SECONDS ? 'attention' : 'good'} hint={hint}>
      <span>
        {lagSeconds > SILENT_SECONDS ? 'Witness silent since' : 'Confirmed by the witness at'}{' '}
        {day === dayOf(Date.now(), zone) ? null : `${day} `}
        <ClockTime value={confirmedAt} to="minute" />
      </span>
    </Explained>
  )
}

const WitnessConflict = ({ size, confirmed }: { size: number; confirmed: number }) => (
  <Panel title="The database is not the one that the witness confirmed" meaning="danger">
    <p className="px-3.5 py-2.5 text-sm">
      The witness confirmed {counted(confirmed, 'entry', 'entries')} of the journal; this database has{' '}
      {size < confirmed ? counted(size, 'entry', 'entries') : 'others'}. A backup was restored, or the database was
      altered. <strong className="font-semibold text-danger">Changes are stopped.</strong> Contact your administrator.
    </p>
  </Panel>
)

export const BrokenJournal = ({ check: { at, byName, events, root, faults, isCut } }: { check: JournalCheck }) => (
  <Panel title="The journal is not intact" meaning="danger">
    <p className="px-3.5 pt-2.5 font-semibold text-danger text-sm">
      The journal was altered outside this console. Do not change the database. Contact your administrator.
    </p>
    <ul className="list-disc py-2 pr-3.5 pl-8 text-sm">
      {faults.map(({ sequence, what }) => (
        <li key={`${sequence} ${what}`} className="break-words">
          Event {formatCount(sequence)} {what}
        </li>
      ))}
      {isCut ? <li>There may be more.</li> : null}
    </ul>
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t px-3.5 py-2.5 text-secondary-foreground text-sm">
      Checked by {visibleText(byName)}: {counted(events, 'event')} read. <Timestamp value={at} />
      <span className="inline-flex items-center gap-1.5">
        Root hash <Reference short value={root} name="Root hash of the journal" />
      </span>
    </p>
  </Panel>
)
