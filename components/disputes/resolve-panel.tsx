import Link from 'next/link'
import { type FormEvent, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { blockingReason, type Command } from '#components/command/command-state.ts'
import { useVerified } from '#components/command/verified.tsx'
import { Snippets } from '#components/disputes/snippets.tsx'
import { fieldText, TextAreaField } from '#components/form/text-field.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { UnsentNote, useUnsentText } from '#components/frame/unsent-text.tsx'
import { Button } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import { useHydrated } from '#components/ui/hydrated.tsx'
import { Check, Undo2 } from '#components/ui/icons.tsx'
import { ShortcutHint, SubmitHint, submitText } from '#components/ui/kbd.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import type { CategoryChoice } from '#lib/disputes/categories/category.ts'
import { type Decision, type Disputed, decisionWords, reasonFault } from '#lib/disputes/resolution.ts'
import type { KeptText } from '#lib/session/unsent-text-place.ts'

const CategoryField = onDemand(() => import('./category-field.tsx').then((it) => it.CategoryField))

interface ResolvePanelProps {
  disputed: Disputed
  /** `transaction`: disputed without a case. */
  of: 'case' | 'transaction'
  kept: KeptText
  shortcut?: string
  command: Command
  /** ISO 8601 end of the step-up grant when the page was read. */
  verifiedUntil: string | null
  blockedReason: string | null
  policy: ReactNode
  /** Shown on request, once the operator has written a reason. */
  similar?: ReactNode
  /** A decision has one of them, if there are any. */
  categories?: readonly CategoryChoice[]
  onPrepare: (decision: Decision, reason: string, category: string | null) => void
}

const decisions: readonly Decision[] = ['refund', 'release']
const NO_CATEGORIES: readonly CategoryChoice[] = []
const icons = { refund: Undo2, release: Check } as const

export function ResolvePanel({ disputed, of, kept, shortcut, command, onPrepare, ...props }: ResolvePanelProps) {
  const verified = useVerified(props.verifiedUntil) !== null
  const blockedReason = props.blockedReason ?? blockingReason(command)
  const hydrated = useHydrated()
  const unsent = useUnsentText(kept)
  const [decision, setDecision] = useState<Decision | null>(null)
  const { category, isMissing, select } = useCategory(props.categories)
  const [own, setOwn] = useState<Readonly<Record<string, string>>>({})
  const [isWritten, setIsWritten] = useState(reasonFault(unsent.initial) === null)
  const box = useRef<HTMLTextAreaElement>(null)
  const checking = command.state.step === 'checking'
  const faults = { ...command.faults, ...own }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (checking) return
    const reason = fieldText(event.currentTarget, 'reason')
    const reasonWords = reasonFault(reason)
    const found = {
      ...(decision === null ? { decision: 'Select an outcome.' } : {}),
      ...(reasonWords === null ? {} : { reason: reasonWords }),
      ...(isMissing ? { category: 'Select a category.' } : {}),
    }
    setOwn(found)
    if (blockedReason !== null || decision === null || Object.keys(found).length > 0) return
    onPrepare(decision, reason.trim(), category)
  }
  return (
    <Panel
      title="Resolve"
      aside={
        <>
          {verified ? null : <span className="text-muted-foreground text-xs">needs a code</span>}
          {shortcut === undefined ? null : <ShortcutHint of={shortcut} />}
        </>
      }
    >
      <form onSubmit={submit} className="grid gap-3 p-3.5">
        <p className="text-secondary-foreground text-sm empty:hidden">{props.policy}</p>
        <fieldset disabled={!hydrated} className="grid gap-2" aria-describedby="decision-fault">
          <legend className="sr-only">Decision</legend>
          {decisions.map((one) => (
            <DecisionChoice
              key={one}
              decision={one}
              disputed={disputed}
              of={of}
              chosen={decision === one}
              onChoose={(byPointer) => {
                setDecision(one)
                setOwn({})
                if (byPointer) box.current?.focus()
              }}
            />
          ))}
          <Fault id="decision-fault" words={faults.decision} />
        </fieldset>
        <TextAreaField
          label="Reason, shown to both sides"
          name="reason"
          box={box}
          rows={3}
          onKeyDown={submitText}
          initial={unsent.initial}
          onText={(text) => {
            unsent.keep(text)
            setIsWritten(reasonFault(text) === null)
          }}
          onBlur={unsent.flush}
          fault={faults.reason ?? null}
          help={`Saved permanently with the ${of}.`}
        />
        <Snippets box={box} />
        <UnsentNote unsent={unsent} />
        {select(faults.category, () => setOwn({}))}
        {['latestMessageId', 'caseId', 'referenceId'].map((field) => (
          <Fault key={field} words={faults[field]} className="text-sm" />
        ))}
        {command.heldBy === null ? null : (
          <Link href={`/activity/${command.heldBy}`} prefetch={false} className="text-sm underline underline-offset-4">
            Open the earlier change
          </Link>
        )}
        {blockedReason === null ? null : <p className="text-attention text-sm">{blockedReason}</p>}
        <Button
          variant="outline"
          type="submit"
          disabled={!hydrated || blockedReason !== null}
          aria-disabled={checking}
          className="w-full"
        >
          {checking ? 'Checking' : buttonWords(decision, disputed)}
          <SubmitHint />
        </Button>
      </form>
      {props.similar ? <OnceWritten isWritten={hydrated && isWritten}>{props.similar}</OnceWritten> : null}
    </Panel>
  )
}

interface FaultProps {
  id?: string
  words: string | undefined
  className?: string
}

const Fault = ({ id, words, className = 'text-xs' }: FaultProps) => (
  <p id={id} role={words === undefined ? undefined : 'alert'} className={cn('text-danger empty:hidden', className)}>
    {words}
  </p>
)

/** A category that is not offered any more is not selected. */
function useCategory(categories: readonly CategoryChoice[] = NO_CATEGORIES) {
  const [chosen, setChosen] = useState<string | null>(null)
  const category = categories.find(({ id }) => id === chosen)?.id ?? null
  const select = (fault: string | undefined, onChosen: () => void) =>
    categories.length === 0 ? (
      <Fault words={fault} className="text-sm" />
    ) : (
      <Suspense fallback={<Skeleton className="h-18" />}>
        <CategoryField
          categories={categories}
          chosen={category}
          fault={category === null ? (fault ?? null) : null}
          onChoose={(id) => {
            setChosen(id)
            onChosen()
          }}
        />
      </Suspense>
    )
  return { category, isMissing: category === null && categories.length > 0, select }
}

/** Earlier decisions must not replace the operator's own judgement. */
function OnceWritten({ isWritten, children }: { isWritten: boolean; children: ReactNode }) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="border-t">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 p-3.5">
        <Button
          variant="outline"
          aria-expanded={isOpen}
          aria-disabled={!(isWritten || isOpen)}
          aria-describedby={id}
          onClick={() => (isWritten || isOpen) && setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide' : 'Show'} similar decisions
        </Button>
        <p id={id} className="text-secondary-foreground text-sm empty:hidden">
          {isWritten || isOpen ? null : 'Write your reason first.'}
        </p>
      </div>
      {isOpen ? children : null}
    </div>
  )
}

/** In place of {@link ResolvePanel} while the disputed transaction cannot be read. */
export const ResolveUnavailable = ({ why, onRetry }: { why: string; onRetry: () => void }) => (
  <Panel title="Resolve" data-resolve tabIndex={-1} aside={<ShortcutHint of="R" />}>
    <div className="grid gap-3 p-3.5">
      <p className="text-attention text-sm">{why}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" disabled>
          Select an outcome
        </Button>
        <Button variant="outline" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </div>
  </Panel>
)

const buttonWords = (decision: Decision | null, disputed: Disputed): string =>
  decision === null ? 'Select an outcome' : decisionWords(decision, disputed).title

interface DecisionChoiceProps {
  decision: Decision
  disputed: Disputed
  of: ResolvePanelProps['of']
  chosen: boolean
  onChoose: (byPointer: boolean) => void
}

function DecisionChoice({ decision, disputed, of, chosen, onChoose }: DecisionChoiceProps) {
  const { title, sentence } = decisionWords(decision, disputed)
  const Icon = icons[decision]
  // A pointer choice focuses the reason; with keys, the operator may still be choosing.
  const byPointer = useRef(false)
  return (
    <label
      onPointerDown={() => {
        byPointer.current = true
      }}
      onKeyDown={() => {
        byPointer.current = false
      }}
      className="grid cursor-pointer grid-cols-[auto_1fr] gap-x-2.5 rounded-md border px-3 py-2.5 text-sm hover:bg-muted has-checked:border-primary has-focus-visible:outline-2 has-focus-visible:outline-primary has-checked:shadow-[0_0_0_1px_var(--primary)]"
    >
      <input
        type="radio"
        name="decision"
        value={decision}
        checked={chosen}
        onChange={() => onChoose(byPointer.current)}
        className="sr-only"
        aria-describedby={`what-${decision}-does`}
      />
      <Icon aria-hidden className="mt-0.5 size-4" />
      <span className="font-semibold">{title}</span>
      <span id={`what-${decision}-does`} className="col-start-2 text-secondary-foreground">
        {sentence} {of === 'case' ? 'The thread closes.' : null}
      </span>
    </label>
  )
}
