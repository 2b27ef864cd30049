import 'server-only'
import { recordEntry } from '#lib/commands/kind.ts'
import { ERASED } from '#lib/commands/row.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import { lineEditWords } from './statement-view.ts'

const place = ({ target }: { readonly target: string }) => ({
  href: `/deposits/statements/${encodeURIComponent(target)}`,
  words: 'Open the statement',
})

const EDITS_OF_REFERENCES = ['reference', 'accept', 'accept-payer', 'accept-found', 'bank-reference']

/** Other edits have a text before and after, such as a reason. */
export const isOfReference = (what: unknown): boolean => EDITS_OF_REFERENCES.some((edit) => edit === what)

export const statementImport = recordEntry({
  kind: 'statement.import',
  place,
  title: ({ lines }) => `Import a statement of ${counted(Number(lines), 'line')}`,
})

export const statementDiscard = recordEntry({
  kind: 'statement.discard',
  title: ({ lines }) => `Discard a statement of ${counted(Number(lines), 'line')}`,
})

export const statementRestore = recordEntry({
  kind: 'statement.restore',
  place,
  title: ({ lines }) => `Restore a statement of ${counted(Number(lines), 'line')}`,
})

export const statementEditLine = recordEntry({
  kind: 'statement.edit-line',
  // Entries of earlier versions have reasons in `mono` lines.
  keepsLine: ({ label, as }, { what }) =>
    as === 'mono' ? isOfReference(what) : as !== 'text' || ['Line', 'What'].includes(label),
  repeatsText: ({ line }, later) => later.line === line,
  /** A later edit of the line may have replaced `edit_id`, and a later reason stays. */
  async eraseText(trx, { target }, { params: { line }, texts }) {
    if (typeof line !== 'number' || texts.length === 0) return
    await trx
      .updateTable('statement_line')
      .set({ set_aside_reason: ERASED })
      .where('statement_id', '=', target)
      .where('number', '=', line)
      .where('set_aside_reason', 'in', texts)
      .execute()
  },
  place,
  title: ({ line, what }) => `Line ${formatCount(Number(line))} of a statement: ${lineEditWords(String(what))}`,
})
