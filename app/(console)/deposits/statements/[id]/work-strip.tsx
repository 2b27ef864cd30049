import { Button } from '#components/ui/button.tsx'
import { Progress } from '#components/ui/progress.tsx'
import { ClockTime } from '#components/values/timestamp.tsx'
import type { StatementWork } from '#lib/statements/statement-view.ts'
import { NEXT_STEP } from './next-step.ts'

interface WorkStripProps {
  work: StatementWork
  /** Why the latest request failed. */
  fault: string | null
  onStop: () => void
}

const count = (lines: number): string => lines.toLocaleString('en-US')

const cutOffWords = ({ goesOn, by }: StatementWork): string =>
  goesOn
    ? `The console stopped during the lookup. It continues automatically when ${by} is back.`
    : 'The console stopped during this work. Nothing is lost. Start it again.'

export function WorkStrip({ work, fault, onStop }: WorkStripProps) {
  const said = [
    ...(fault === null ? [] : [fault]),
    ...(work.cutOff ? [cutOffWords(work)] : []),
    ...(work.work === null && work.ended !== '' ? [work.ended] : []),
  ]
  return (
    <>
      {work.work === null ? null : <Running work={work} onStop={onStop} />}
      {said.map((words) => (
        <p key={words} role="status" className="border-b bg-attention-wash px-3.5 py-2 text-attention text-sm">
          {words}
        </p>
      ))}
    </>
  )
}

function Running({ work, onStop }: { work: StatementWork; onStop: () => void }) {
  const word = work.work === 'confirm' ? 'Confirming' : 'Looking up'
  return (
    <section
      aria-label={word}
      tabIndex={-1}
      {...{ [NEXT_STEP]: 'work' }}
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-3.5 py-2 text-sm"
    >
      <Progress aria-label={word} value={work.done} max={work.total} className="min-w-32 flex-1" />
      <p role="status" className="figures text-secondary-foreground">
        {word} for {work.by}: {count(work.done)} of {count(work.total)}. You can leave this page.
        {work.pausedUntil === null ? null : (
          <span className="block text-attention">
            The service asked for a pause until <ClockTime value={work.pausedUntil} />.
          </span>
        )}
      </p>
      <Button variant="outline" onClick={onStop} disabled={work.stopping}>
        {work.stopping ? 'Stopping after this line' : 'Stop'}
      </Button>
    </section>
  )
}
