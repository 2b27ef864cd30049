'use client'

import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { blockingReason, type Command } from '#components/command/command-state.ts'
import { RoomNotes } from '#components/command/lines.tsx'
import { EarlierChange } from '#components/command/no-outcome.tsx'
import { loadCommandOutcome, OutcomeOnDemand } from '#components/command/outcome-on-demand.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { fieldText, TextField } from '#components/form/text-field.tsx'
import { ButtonLink, Panel, TextLink, TwoColumns } from '#components/frame/panel.tsx'
import { UnsentNote, type UnsentText, useUnsentText } from '#components/frame/unsent-text.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { RefreshIfOld } from '#components/service/retry-button.tsx'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import { FormError } from '#components/ui/field.tsx'
import { useHydrated } from '#components/ui/hydrated.tsx'
import { Equal, EqualNot } from '#components/ui/icons.tsx'
import { ShortcutHint, usePageKey } from '#components/ui/kbd.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import { parsedJson } from '#lib/contract/json.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { AmountComparison as Comparison } from '#lib/deposits/amounts.ts'
import { amountFaultWords, bankReferenceFault } from '#lib/deposits/deposit.ts'
import type { KeptText } from '#lib/session/unsent-text-place.ts'
import { isAmount, shownAmount } from '#lib/values/amount-text.ts'
import { readTypedAmount } from '#lib/values/typed-amount.ts'
import { type DepositFacts, DepositFactsList, type FoundDeposit, HandOverPart } from './deposit-facts.tsx'

interface ConfirmDepositProps {
  lookUp: ReactNode
  /** Null when the transaction could not be read; `problem` says why. */
  found: FoundDeposit | null
  problem: Problem | null
  missingScope: string | null
  latest: CommandView | null
  unsent: KeptText
  renderedAtMs: number
}

export function ConfirmDeposit(props: ConfirmDepositProps) {
  const { lookUp, found, problem, missingScope, latest, unsent, renderedAtMs } = props
  const refresh = useAutomaticRefresh()
  const command = useCommand(latest, refresh, loadCommandOutcome)
  const typed = useUnsentText(unsent)
  const forget = useEffectEvent(typed.forget)
  const done = command.state.step === 'outcome' && command.state.command.outcome.class === 'done'
  useEffect(() => {
    if (done) forget()
  }, [done])
  const isOver = isOverLimit(command)
  useEffect(() => {
    if (isOver) refresh()
  }, [isOver, refresh])
  const statement = useRef<Statement>(null)
  // A later failed read removes neither the facts nor the operator's input.
  const [known, setKnown] = useState(found)
  if (found !== null && found !== known) setKnown(found)
  return (
    <TwoColumns>
      <RefreshIfOld renderedAtMs={renderedAtMs} />
      <Panel
        title="Confirm a deposit"
        data-arrival
        tabIndex={-1}
        aside={known === null ? null : <StateBadge state={known.facts.state} />}
      >
        <div className="px-3.5 pt-3.5 pb-1.5">{lookUp}</div>
        {problem === null ? null : <ProblemPanel problem={problem} className="border-t" />}
        {known === null ? null : (
          <>
            <DepositFactsList facts={known.facts} compared={known.facts.fault === null} />
            <Confirmation {...{ ...known, missingScope, command, typed, statement }} />
            <HandOverPart
              {...known}
              typed={() => statement.current ?? readStatement(typed.initial, known.handOver?.known)}
            />
          </>
        )}
      </Panel>
      <div className="grid gap-4">
        <OutcomeOnDemand command={command} />
        {done ? <NextDeposit /> : null}
      </div>
      <CommandDialogs command={command} />
    </TwoColumns>
  )
}

/** The dialog or the answer says that the limit was used up meanwhile. */
function isOverLimit({ state }: Command): boolean {
  if (state.step === 'confirming') return state.draft.limits.some(({ beyond }) => beyond !== null)
  return state.step === 'outcome' && state.command.outcome.class === 'refused' && state.command.outcome.limit === true
}

type ConfirmationProps = FoundDeposit & Omit<ConfirmFormProps, 'facts' | 'limit' | 'known'>

function Confirmation({ facts, room, handOver, colleagues, ...form }: ConfirmationProps) {
  if (facts.fault === null) {
    return (
      <ConfirmForm
        facts={facts}
        {...form}
        known={handOver?.known ?? NOTHING_TYPED}
        limit={
          <>
            <RoomNotes room={room} />
            {colleagues?.length && handOver === null ? 'Or hand it to a colleague below.' : null}
          </>
        }
      />
    )
  }
  return (
    <p className="border-t px-3.5 py-3 text-secondary-foreground text-sm">
      {facts.fault}{' '}
      <TextLink href={`/transactions/${encodeURIComponent(facts.reference)}`}>Open the transaction</TextLink>
    </p>
  )
}

interface ConfirmFormProps {
  facts: DepositFacts
  missingScope: string | null
  typed: UnsentText
  limit: ReactNode
  /** What a colleague who handed it over knew. */
  known: Statement
  /** What is typed; null before the first change. */
  statement: RefObject<Statement | null>
  command: Command
}

function ConfirmForm(props: ConfirmFormProps) {
  const { facts, missingScope, typed: unsent, command } = props
  const { faults } = command
  const checking = command.state.step === 'checking'
  const whyNot = blockingReason(command)
  // Later values would replace typed text.
  const [known] = useState(props.known)
  const initial = useMemo(() => readStatement(unsent.initial, known), [unsent.initial, known])
  const [{ bankReference, statementAmount }, setStatement] = useState(initial)
  // On hydration, both fields may report their text before the next render, so state alone would lose one.
  const latest = useRef(initial)
  const type = (change: Partial<Statement>) => {
    latest.current = { ...latest.current, ...change }
    props.statement.current = latest.current
    setStatement(latest.current)
    unsent.keep(writeStatement(latest.current))
  }
  const [tried, setTried] = useState(false)
  const hydrated = useHydrated()

  const typed = readTypedAmount(statementAmount)
  const compare = useCompareAmounts(typed.ok ? typed.text : '')
  const comparison = compare?.(statementAmount, facts.debit) ?? null
  const amountFault = typed.ok || (!tried && typed.fault === 'empty') ? null : amountFaultWords[typed.fault]
  const bankFault = tried ? bankReferenceFault(bankReference) : null
  const differs = comparison !== null && !comparison.match

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    // Sent as typed, so that the dialog and the journal can report removed characters.
    const reference = fieldText(event.currentTarget, 'bankReference')
    const amount = fieldText(event.currentTarget, 'statementAmount')
    setStatement({ bankReference: reference, statementAmount: amount })
    if (missingScope !== null || whyNot !== null) return
    if (!readTypedAmount(amount).ok || bankReferenceFault(reference) !== null) return
    // If this script has not loaded, the console compares the amounts and refuses a draft in which they differ.
    if (compare?.(amount, facts.debit)?.match === false) return
    const params = { referenceId: facts.reference, bankReference: reference, statementAmount: amount }
    command.prepare('deposit.confirm', params)
  }
  return (
    <form onSubmit={submit} onBlur={unsent.flush} className="border-t">
      <p className="px-3.5 pt-3 text-secondary-foreground text-sm empty:hidden">{props.limit}</p>
      <div className="grid gap-x-3.5 gap-y-1.5 px-3.5 pt-3.5 sm:grid-cols-2">
        <TextField
          label="Bank’s reference"
          name="bankReference"
          mono
          isReference
          initial={initial.bankReference}
          onText={(text) => type({ bankReference: text })}
          fault={bankFault ?? faults.bankReference ?? null}
          help="Each bank reference confirms one deposit only."
          takesFocus={missingScope === null && whyNot === null}
        />
        <TextField
          label="Amount on the statement"
          name="statementAmount"
          inputMode="decimal"
          className="figures"
          initial={initial.statementAmount}
          onText={(text) => type({ statementAmount: text })}
          fault={amountFault ?? faults.statementAmount ?? null}
          help={typed.ok ? `Read as ${shownAmount(typed.text)} BZD.` : 'As the bank shows it, for example 1,250.00.'}
          suffix={<span className="text-[11px] text-muted-foreground">BZD</span>}
        />
      </div>
      <div className="px-3.5">
        <UnsentNote unsent={unsent} />
      </div>
      <AmountComparison
        statement={typed.ok ? typed.text : null}
        debit={isAmount(facts.debit) ? facts.debit : null}
        comparison={comparison}
      />
      <CardFooter>
        <p className="min-w-48 flex-1 text-muted-foreground text-xs">
          {missingScope === null
            ? (whyNot ?? 'The balance is minted and held for 24 hours. A reversal is possible only in that time.')
            : `Read-only: confirming needs the scope ${missingScope}.`}
        </p>
        <Button
          type="submit"
          disabled={!hydrated || differs || missingScope !== null || whyNot !== null}
          aria-disabled={checking}
        >
          {checking ? 'Checking' : `Confirm deposit of ${shownAmount(facts.debit)} BZD`}
        </Button>
        <EarlierChange id={command.heldBy} />
        <FormError fault={faults.referenceId} className="w-full" />
      </CardFooter>
    </form>
  )
}

type CompareAmounts = (statement: string, debit: string) => Comparison | null

/** Loads the decimal arithmetic once an amount is typed, and tries again with each change until it has loaded. */
function useCompareAmounts(amount: string): CompareAmounts | null {
  const [compare, setCompare] = useState<CompareAmounts | null>(null)
  useEffect(() => {
    if (amount === '' || compare !== null) return
    import('#lib/deposits/amounts.ts').then(
      ({ compareAmounts }) => setCompare(() => compareAmounts),
      () => {},
    )
  }, [amount, compare])
  return compare
}

const NEXT_KEY = 'n'

function NextDeposit() {
  const link = useRef<HTMLAnchorElement>(null)
  usePageKey(NEXT_KEY, () => link.current?.click())
  return (
    <ButtonLink ref={link} href="/deposits" aria-keyshortcuts={NEXT_KEY} className="justify-self-start">
      Next deposit
      <ShortcutHint of={NEXT_KEY} />
    </ButtonLink>
  )
}

interface AmountComparisonProps {
  /** Decimal strings; null when there is no amount yet. */
  statement: string | null
  debit: string | null
  comparison: Comparison | null
}

const AmountComparison = ({ statement, debit, comparison }: AmountComparisonProps) => (
  <div className="flex flex-wrap items-end justify-between gap-3.5 px-3.5 pt-2.5 pb-3.5">
    <Figure label="The bank received" amount={statement} />
    <div aria-live="polite" className="mb-1.5">
      <Verdict comparison={comparison} />
    </div>
    <Figure label="The holder announced" amount={debit} className="sm:text-right" />
  </div>
)

const Figure = ({ label, amount, className }: { label: string; amount: string | null; className?: string }) => (
  <div className={className}>
    <p className="text-muted-foreground text-xs">{label}</p>
    <p className="figures font-semibold text-figure tracking-[-0.02em]">
      {amount === null ? '–' : shownAmount(amount)}{' '}
      <span className="font-medium text-[11px] text-muted-foreground tracking-normal">BZD</span>
    </p>
  </div>
)

function Verdict({ comparison }: { comparison: Comparison | null }) {
  if (comparison === null) return null
  if (comparison.match) {
    return (
      <Badge key="match" variant="good" icon={Equal}>
        Same amount
      </Badge>
    )
  }
  return (
    <Badge key="difference" variant="attention" icon={EqualNot}>
      {shownAmount(comparison.difference)} BZD {comparison.statementIsMore ? 'too much' : 'missing'}
    </Badge>
  )
}

interface Statement {
  readonly bankReference: string
  readonly statementAmount: string
}

const NOTHING_TYPED: Statement = { bankReference: '', statementAmount: '' }

/** Serializes unsent input; empty when nothing is typed. */
export const writeStatement = ({ bankReference, statementAmount }: Statement): string =>
  bankReference === '' && statementAmount === '' ? '' : JSON.stringify([bankReference, statementAmount])

/** Parses the text of `writeStatement`; `known` if it is empty; any other text gives empty fields. */
export function readStatement(text: string, known = NOTHING_TYPED): Statement {
  if (text === '') return known
  const parts = parsedJson(text)
  const [bankReference, statementAmount]: readonly unknown[] = Array.isArray(parts) ? parts : []
  return {
    bankReference: typeof bankReference === 'string' ? bankReference : '',
    statementAmount: typeof statementAmount === 'string' ? statementAmount : '',
  }
}
