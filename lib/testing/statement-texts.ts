import { readFile } from '#lib/statements/file/read-file.ts'

export const read = (text: string) => readFile(new TextEncoder().encode(text), null)

export function wholeOf(text: string) {
  const file = read(text)
  if (file.kind !== 'whole') throw new Error(JSON.stringify(file))
  return file
}

export const linesOf = (text: string) => wholeOf(text).lines
export const amountsOf = (text: string) => linesOf(text).map(({ reference, amount }) => `${reference} ${amount}`)
export const faultsOf = (text: string) => {
  const file = read(text)
  return file.kind === 'broken' ? file.faults.map(({ place, what }) => `${place}: ${what}`) : []
}

export const camt = (entries: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${entries}</Stmt></BkToCstmrStmt></Document>`
export const entry = (inner: string, amount = '250.00', kind = 'CRDT', status = '<Sts><Cd>BOOK</Cd></Sts>') =>
  `<Ntry><Amt Ccy="BZD">${amount}</Amt><CdtDbtInd>${kind}</CdtDbtInd>${status}<BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>ATL-1</AcctSvcrRef>${inner}</Ntry>`
export const details = (inner: string): string => `<NtryDtls>${inner}</NtryDtls>`
export const payment = (reference: string, amount = '', rest = ''): string =>
  `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>${amount === '' ? '' : `<Amt Ccy="BZD">${amount}</Amt>`}${rest}</TxDtls>`
export const balance = (code: string, amount: string, side: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="BZD">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd></Bal>`
export const balances = (opening: string, closing: string, side = 'CRDT'): string =>
  balance('OPBD', opening, 'CRDT') + balance('CLBD', closing, side)
export const batch = (count: number): string => `<Btch><NbOfTxs>${count}</NbOfTxs></Btch>`
export const creditor = (reference: string) =>
  `<RmtInf><Ustrd>rent</Ustrd><Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf>`
