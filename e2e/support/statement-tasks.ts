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

/** Takes a statement in whose format needs no mapping, as far as its page. No two are alike. */
export async function takeStatement(page: Page, entries: readonly Entry[]): Promise<void> {
  files += 1
  const xml = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
${entries.map(entryOf).join('\n')}</Stmt></BkToCstmrStmt></Document>`
  await page.goto('/deposits/statements')
  const field = page.getByLabel('Choose a statement')
  await expect(field).toBeEnabled()
  await field.setInputFiles({ name: `Camt-${files}.xml`, mimeType: 'text/xml', buffer: Buffer.from(xml) })
  await page.waitForURL(/\/deposits\/statements\/./)
}
