import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

interface Entry {
  readonly reference: string
  readonly amount: string
  readonly text?: string
}

let files = 0

const entryOf = ({ reference, amount, text = '' }: Entry, number: number): string =>
  `<Ntry><Amt Ccy="BZD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>
<AcctSvcrRef>CAMT-${process.pid}-${files}-${number}</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd>
<Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry>`

interface StatementFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** A statement in a format that needs no mapping. No two are alike. */
export function camtFile(entries: readonly Entry[]): StatementFile {
  files += 1
  const xml = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
${entries.map(entryOf).join('\n')}</Stmt></BkToCstmrStmt></Document>`
  return { name: `Camt-${files}.xml`, mimeType: 'text/xml', buffer: Buffer.from(xml) }
}

/** Imports such a statement, as far as its page. */
export async function takeStatement(page: Page, entries: readonly Entry[]): Promise<void> {
  await give(page, camtFile(entries))
  await confirmImport(page)
}

interface Line {
  readonly reference?: string
  readonly amount: string
  readonly bank: string
  readonly text?: string
}

let tables = 0

/** A bank's table. No two are alike. */
export function statementOf(lines: readonly Line[]): StatementFile {
  tables += 1
  const rows = lines.map(({ reference = '', amount, bank, text = `file ${tables}` }) =>
    [reference, amount, `${bank}-${process.pid}`, text].join(';'),
  )
  const csv = ['Zahlungsreferenz;Betrag;Bankreferenz;Text', ...rows].join('\r\n')
  return { name: `July-${tables}.csv`, mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${csv}`) }
}

export async function give(page: Page, file: StatementFile): Promise<void> {
  await page.goto('/deposits/statements')
  const field = page.getByLabel('Choose a statement')
  await expect(field).toBeEnabled()
  await field.setInputFiles(file)
}

/** The columns are filled in by their headings; a person checks them and goes on to the preview. */
export async function mapColumns(page: Page): Promise<void> {
  const chosen = (field: string) => page.getByRole('combobox', { name: field, exact: true })
  await expect(chosen('Reference')).toHaveText('Zahlungsreferenz')
  await expect(chosen('Amount')).toHaveText('Betrag')
  await expect(chosen('Bank’s reference')).toHaveText('Bankreferenz')
  await expect(chosen('Free text')).toHaveText('Text')
  await expect(page.getByText(/^A comma, as in “/)).toBeVisible()
  await page.getByRole('button', { name: 'Read the amounts' }).click()
}

/** The button that stores what the preview shows: `Import 2 payments, 290.50`. */
export const importButton = (page: Page) => page.getByRole('button', { name: /^Import [\d,]+ payments?, / })

export async function confirmImport(page: Page): Promise<void> {
  await importButton(page).click()
  await page.waitForURL(/\/deposits\/statements\/./)
}

/** Imports a table, whose columns may be known from before. */
export async function importTable(page: Page, file: StatementFile): Promise<void> {
  await give(page, file)
  await page.getByRole('heading', { name: /^(Map the columns|Check the import)$/ }).waitFor()
  if (await page.getByRole('heading', { name: 'Map the columns' }).isVisible()) await mapColumns(page)
  await confirmImport(page)
}

export const line = (page: Page, number: number) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: new RegExp(`^(Line )?${number}$`) }) })
    .first()
