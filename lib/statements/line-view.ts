import 'server-only'
import type { Outcome } from '#lib/commands/command.ts'
import { parseOutcome } from '#lib/commands/view.ts'
import { config } from '#lib/config/config.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { amountVerdict } from './match-lines.ts'
import type { JudgedLine, ShownLine } from './shown-lines.ts'
import type { Confirmation, DoneBy, LineAt, LineView, Suggestion } from './statement-view.ts'
import { forEveryone } from './work.ts'

const TEXT_CHARS = 1_000
const REFERENCE_CHARS = 512

const cut = (text: string, chars: number): string => [...text].slice(0, chars).join('')

export const doneBy = (by: string | null, at: string | null): DoneBy | null =>
  by === null || at === null ? null : { by, at }

/** While the last read shows QUEUED, the confirmation's outcome is newer. */
export function stateNow({ present_state: state }: JudgedLine, outcome: string | null): string | null {
  if (state !== 'QUEUED' || outcome === null) return state
  const parsed = parseOutcome(outcome)
  const line = 'lines' in parsed ? parsed.lines.find(({ as }) => as === 'state') : undefined
  return line?.value ?? state
}

export function viewOfLine(line: ShownLine): LineView {
  const { found_debit: debit, problem } = line
  const state = stateNow(line, outcomeOfConfirmation(line.confirmation))
  return {
    statementId: line.statement_id,
    number: line.number,
    place: line.place,
    sought: cut(line.sought, REFERENCE_CHARS),
    soughtFrom: line.sought_from,
    suggestions: suggestionsOf(line),
    amount: line.amount,
    currency: cut(line.currency, TEXT_CHARS),
    bookedOn: cut(line.booked_on, TEXT_CHARS),
    valueDate: cut(line.value_date, TEXT_CHARS),
    payerName: cut(line.payer_name, TEXT_CHARS),
    payerAccount: cut(line.payer_account, TEXT_CHARS),
    text: cut(line.text, TEXT_CHARS),
    bankReference: cut(line.bank_used, TEXT_CHARS),
    given: { reference: cut(line.reference, REFERENCE_CHARS), bankReference: cut(line.bank_reference, TEXT_CHARS) },
    bankFrom: line.bank_used === line.bank_reference ? 'field' : 'hand',
    soughtEntered: doneBy(line.sought_by, line.sought_at),
    bankEntered: doneBy(line.bank_by, line.bank_at),
    edited: doneBy(line.edited_by, line.edited_at),
    editId: line.edit_id,
    status: line.status,
    needsApproval: line.status === 'ready' && line.is_apart,
    hold: line.hold,
    found: state === null || debit === null ? null : { state, debit, amount: amountVerdict(line, debit) },
    lookedAt: line.looked_at,
    sameReference: lineAt(line.same_reference),
    sameBankReference: lineAt(line.same_bank),
    bankHolder: confirmationOf(line.bank_holder),
    confirmation: confirmationOf(line.confirmation),
    problem: problem === null ? null : wordsOfProblem(problem),
    note: line.note,
    setAside: line.set_aside_reason === null ? null : { reason: line.set_aside_reason, by: line.set_aside_by },
    seen:
      line.seen_statement === null || line.seen_number === null || line.seen_file === null
        ? null
        : { statementId: line.seen_statement, number: line.seen_number, fileName: line.seen_file },
    outcome: outcomeOf(line),
    commandId: line.command_id,
  }
}

function suggestionsOf({ status, sought, suggestions }: ShownLine): readonly Suggestion[] {
  if (status !== 'unknown' && status !== 'mismatched') return []
  return (JSON.parse(suggestions) as readonly Suggestion[]).filter(
    ({ reference, foundIn }) => reference !== sought && (foundIn !== 'payer' || config().payerMemory),
  )
}

function wordsOfProblem(json: string): string {
  const { by = 'a colleague', ...problem } = JSON.parse(json) as Problem & { readonly by?: string }
  return wordsBy(problemWords(problem).title, by)
}

const wordsBy = (words: string, by: string): string =>
  forEveryone(words, { displayName: by }).replace(/^(?:the|a) /, (word) => (word === 'a ' ? 'A ' : 'The '))

export function outcomeOf({ command_state: state, command_outcome: json, command_by: by }: JudgedLine): Outcome | null {
  if (state === null || state === 'draft') return null
  if (state === 'sent' || json === null) return { class: 'sending' }
  const outcome = parseOutcome(json)
  return 'title' in outcome ? { ...outcome, title: wordsBy(outcome.title, by ?? 'a colleague') } : outcome
}

interface TwinJson {
  readonly statementId: string | null
  readonly number: number | null
  readonly fileName: string | null
}

const lineAt = (json: string | null): LineAt | null => (json === null ? null : lineOf(JSON.parse(json) as TwinJson))

const lineOf = ({ statementId, number, fileName }: TwinJson): LineAt | null =>
  statementId === null || number === null ? null : { statementId, number, fileName: fileName ?? '' }

const outcomeOfConfirmation = (json: string | null): string | null =>
  json === null ? null : (JSON.parse(json) as { readonly outcome: string | null }).outcome

function confirmationOf(json: string | null): Confirmation | null {
  if (json === null) return null
  const confirmation = JSON.parse(json) as TwinJson & Omit<Confirmation, 'line'>
  return { commandId: confirmation.commandId, by: confirmation.by, at: confirmation.at, line: lineOf(confirmation) }
}
