import { randomUUID } from 'node:crypto'
import { Holder } from '../support/holder.ts'
import { ANA, BEN } from '../support/sandbox-controls.ts'
import { change, changeAtOnce } from './changes.ts'
import { FORMULAS, HIDDEN, SCRIPTS } from './corpora.ts'
import { importFile, type SignedIn } from './http.ts'

const ALL = [...SCRIPTS, ...FORMULAS, ...HIDDEN]

/** Where the texts of {@link plantTexts} are to be seen. */
export interface Planted {
  /** Whose history has all of them in its notes. */
  readonly account: string
  readonly paths: readonly string[]
}

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A statement whose name and lines are such texts. */
async function plantStatement(consoleUrl: string, admin: SignedIn, name: string): Promise<string> {
  const entries = ALL.map(
    (text, at) => `<Ntry><Amt Ccy="BZD">${at + 1}.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>H-${randomUUID().slice(0, 8)}</AcctSvcrRef><NtryDtls><TxDtls>
<RltdPties><Dbtr><Pty><Nm>${xml(text)}</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>${xml(text)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  )
  const file = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`
  return `/deposits/statements/${await importFile(consoleUrl, admin, { name, content: file })}`
}

async function plantCase(sandboxUrl: string, admin: SignedIn): Promise<{ reference: string; caseId: string }> {
  const ana = await Holder.signIn(sandboxUrl, 'ana@example.com', ANA)
  const reference = await ana.pay(BEN, 5, { note: SCRIPTS[0] ?? '', useEscrow: true })
  const raised = await fetch(`${sandboxUrl}/sandbox/disputes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ referenceId: reference, raisedByUserId: ANA, reason: SCRIPTS.join(' ') + HIDDEN.join(' ') }),
  })
  const { id: caseId } = (await raised.json()) as { id: string }
  for (const text of ALL) await ana.write(caseId, text)
  await changeAtOnce(admin, 'case.note', { caseId, text: SCRIPTS.join(' ') })
  return { reference, caseId }
}

/** Puts each text wherever the service, wallet holders and colleagues can put one. */
export async function plantTexts(consoleUrl: string, sandboxUrl: string, admin: SignedIn): Promise<Planted> {
  const holder = await Holder.register(sandboxUrl)
  const references: string[] = []
  for (const [at, text] of ALL.entries()) references.push(await holder.deposit(at + 1, text))
  const { reference, caseId } = await plantCase(sandboxUrl, admin)
  const commands: string[] = []
  // So few that a person could make them by hand: more are held off.
  for (const [at, text] of SCRIPTS.slice(0, 4).entries()) {
    const label = text.slice(0, 60)
    const snippet = { id: randomUUID(), name: `${randomUUID().slice(0, 6)} ${label}`.slice(0, 60), text, changedAt: '' }
    await changeAtOnce(admin, 'snippet.save', snippet)
    const terminal = { merchantId: 'merchant-001', terminalUid: `H-${at}`, label }
    commands.push((await change(admin, 'terminal.register', terminal)).id)
    commands.push((await change(admin, 'card.issue', { userId: ANA, cardType: '1', printedName: label })).id)
  }
  const statement = await plantStatement(consoleUrl, admin, `${SCRIPTS[1]}.xml`)
  const deposits = references.flatMap((one) => [`/transactions/${one}`, `/deposits?reference=${one}`])
  return {
    account: holder.id,
    paths: [
      '/',
      '/activity',
      ...commands.map((id) => `/activity/${id}`),
      '/cards',
      '/deposits',
      '/deposits/statements',
      statement,
      '/disputes',
      `/disputes/${caseId}`,
      '/disputes/snippets',
      '/security',
      '/terminals?merchant=merchant-001',
      `/transactions/${reference}`,
      ...deposits,
      `/users/${holder.id}`,
      `/users/${ANA}`,
      `/users/${ANA}/cards`,
      `/users/${ANA}/access`,
      ...SCRIPTS.flatMap((text) =>
        [
          '/activity?find',
          '/cards?find',
          '/deposits?reference',
          '/users?id',
          '/transactions?reference',
          '/terminals?merchant',
        ].map((path) => `${path}=${encodeURIComponent(text)}`),
      ),
    ],
  }
}
