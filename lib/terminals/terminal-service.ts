import 'server-only'
import type { Row } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { Terminal } from '#lib/contract/terminals.ts'
import { onlyAbout, type Result, read, type Sent, send } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { isSameText } from '#lib/values/text.ts'

const PAGES_MAX = 100
const MISSING_MAX = 1_000

/** `GET merchant-terminals`. A row of another merchant, on no page, or unlike the contract is unreadable. */
export async function listTerminals(session: Session, merchantId: string): Promise<Result<readonly Row<Terminal>[]>> {
  const rows: Row<Terminal>[] = []
  const seen = new Set<string>()
  let total = 0
  for (let page = 1; ; page += 1) {
    const query = { merchantId, ...(page === 1 ? {} : { page: String(page) }) }
    const result = await read(session, endpoints.terminals.list, {}, query)
    if (!result.ok) return result
    const { terminals, totalCount = 0 } = result.value
    const unseen = terminals.filter((row) => !(row.readable && seen.has(row.value.terminalUid)))
    for (const row of unseen) if (row.readable) seen.add(row.value.terminalUid)
    rows.push(...unseen.map((row) => (row.readable && isOfOther(row.value, merchantId) ? UNREADABLE : row)))
    total = Math.max(total, result.total ?? totalCount)
    const missing = Math.max(0, total - rows.length)
    if (missing === 0 || unseen.length === 0 || page === PAGES_MAX) {
      return { ...result, value: [...rows, ...Array(Math.min(missing, MISSING_MAX)).fill(UNREADABLE)] }
    }
  }
}

const UNREADABLE: Row<Terminal> = { readable: false }

const isOfOther = (terminal: Terminal, merchantId: string): boolean => !isSameText(terminal.merchantId, merchantId)

export const readTerminal = async (session: Session, terminalId: string): Promise<Result<Terminal>> =>
  onlyAbout(terminalId, await read(session, endpoints.terminals.read, { terminalId }))

/** `POST merchant-terminals`. The interface does not specify the answer. */
export const registerTerminal = (
  session: Session,
  terminal: { readonly merchantId: string; readonly terminalUid: string; readonly label?: string },
): Promise<Sent<unknown>> => send(session, endpoints.terminals.register, {}, terminal)

export const disableTerminal = (session: Session, terminalId: string): Promise<Sent<unknown>> =>
  send(session, endpoints.terminals.disable, { terminalId }, undefined)
