import 'server-only'
import { recordEntry } from '#lib/commands/kind.ts'
import { ERASED } from '#lib/commands/row.ts'
import { lineEditWords } from './statement-view.ts'

const count = (lines: unknown): string => `${Number(lines).toLocaleString('en-US')} ${lines === 1 ? 'line' : 'lines'}`

const place = ({ target }: { readonly target: string }) => ({
  href: `/deposits/statements/${encodeURIComponent(target)}`,
  words: 'Open the statement',
})

export const statementImport = recordEntry({
  kind: 'statement.import',
  place,
  title: ({ lines }) => `Import a statement of ${count(lines)}`,
})

export const statementDiscard = recordEntry({
  kind: 'statement.discard',
  title: ({ lines }) => `Discard a statement of ${count(lines)}`,
})

export const statementRestore = recordEntry({
  kind: 'statement.restore',
  place,
  title: ({ lines }) => `Restore a statement of ${count(lines)}`,
})

export const statementEditLine = recordEntry({
  kind: 'statement.edit-line',
  async eraseText(trx, { id }) {
    await trx
      .updateTable('statement_line')
      .set({ set_aside_reason: ERASED })
      .where('edit_id', '=', id)
      .where('set_aside_reason', 'is not', null)
      .execute()
  },
  place,
  title: ({ line, what }) =>
    `Line ${Number(line).toLocaleString('en-US')} of a statement: ${lineEditWords(String(what))}`,
})
