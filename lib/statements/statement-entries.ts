import 'server-only'
import { recordEntry } from '#lib/commands/kind.ts'
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
  place,
  title: ({ line, what }) =>
    `Line ${Number(line).toLocaleString('en-US')} of a statement: ${lineEditWords(String(what))}`,
})
