'use client'

import { useState } from 'react'
import { Panel } from '#components/frame/panel.tsx'
import { askConsole, problemIn } from '#components/service/ask-console.ts'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { ShieldAlert, ShieldCheck } from '#components/ui/icons.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { JournalCheck } from '#lib/activity/journal-check.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { visibleText } from '#lib/values/visible-text.ts'

export function JournalPanel({ latest }: { latest: JournalCheck | null }) {
  const [check, setCheck] = useState(latest)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [checking, setChecking] = useState(false)
  const run = async () => {
    setChecking(true)
    setProblem(null)
    const answer = await askConsole('/api/activity/check', { method: 'POST' })
    setChecking(false)
    if (answer?.status === 200) setCheck((answer.body as { check: JournalCheck }).check)
    else setProblem(problemIn(answer))
  }
  return (
    <Panel
      title="Journal of changes"
      meaning={check === null || check.faults.length === 0 ? 'neutral' : 'danger'}
      aside={
        <Button variant="ghost" disabled={checking} onClick={() => void run()}>
          {checking ? 'Checking every event' : 'Check the journal'}
        </Button>
      }
    >
      <div role="status">
        <CheckResult check={check} />
      </div>
      {problem === null ? null : <ProblemPanel problem={problem} className="border-t" />}
    </Panel>
  )
}

const eventsWords = (events: number): string => `${events.toLocaleString('en-US')} ${events === 1 ? 'event' : 'events'}`

const NO_CHAIN = 'Covers changes only, not sign-ins or exports.'

export function CheckResult({ check }: { check: JournalCheck | null }) {
  if (check === null) {
    return (
      <p className="px-3.5 py-2.5 text-secondary-foreground text-sm">
        Not checked yet. A check shows every event that was altered, removed or added. {NO_CHAIN}
      </p>
    )
  }
  const { at, byName, events, end, faults } = check
  const whole = faults.length === 0
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2.5 text-secondary-foreground text-sm">
        <Badge variant={whole ? 'good' : 'danger'}>
          {whole ? <ShieldCheck aria-hidden /> : <ShieldAlert aria-hidden />}
          {whole ? `${eventsWords(events)} intact` : 'Not intact'}
        </Badge>
        <span>
          Checked <Timestamp value={at} as="past" /> by {visibleText(byName)}
          {whole ? ': nothing was altered, removed or added.' : `: ${eventsWords(events)} read.`} {NO_CHAIN}
        </span>
        <span className="inline-flex items-center gap-1.5 text-muted-foreground">
          Last MAC <Reference short value={end} name="MAC of the last event" />
        </span>
      </div>
      {whole ? null : (
        <div className="grid gap-1 border-t px-3.5 py-2.5 text-sm">
          <p className="font-semibold text-danger">
            The journal was altered outside this console. Do not change the database. Contact your administrator.
          </p>
          <ul className="list-disc pl-5">
            {faults.map(({ sequence, what }) => (
              <li key={`${sequence} ${what}`} className="break-words">
                Event {sequence.toLocaleString('en-US')} {what}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
