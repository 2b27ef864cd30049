import 'server-only'
import { recordedAct } from '#lib/commands/record.ts'
import { lineEditWords } from './statement-view.ts'

const count = (lines: unknown): string => `${Number(lines).toLocaleString('en-US')} ${lines === 1 ? 'line' : 'lines'}`

export const statementImport = recordedAct('statement.import', ({ lines }) => `Import a statement of ${count(lines)}`)

export const statementDiscard = recordedAct(
  'statement.discard',
  ({ lines }) => `Discard a statement of ${count(lines)}`,
)

export const statementRestore = recordedAct(
  'statement.restore',
  ({ lines }) => `Restore a statement of ${count(lines)}`,
)

export const statementEditLine = recordedAct(
  'statement.edit-line',
  ({ line, what }) => `Line ${Number(line).toLocaleString('en-US')} of a statement: ${lineEditWords(String(what))}`,
)
