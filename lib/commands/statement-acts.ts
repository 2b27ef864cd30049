import 'server-only'
import { lineEditWords } from '#lib/domain/statement-line.ts'
import { recordedAct } from './recorded-act.ts'

const count = (lines: unknown): string => `${Number(lines).toLocaleString('en-US')} ${lines === 1 ? 'line' : 'lines'}`

export const statementTake = recordedAct('statement.take', ({ lines }) => `Take in a statement of ${count(lines)}`)

export const statementDiscard = recordedAct(
  'statement.discard',
  ({ lines }) => `Take back a statement of ${count(lines)}`,
)

export const statementEditLine = recordedAct(
  'statement.edit-line',
  ({ line, what }) => `Line ${Number(line).toLocaleString('en-US')} of a statement: ${lineEditWords(String(what))}`,
)
