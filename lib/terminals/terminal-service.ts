import 'server-only'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { Terminal } from '#lib/contract/terminals.ts'
import type { Row } from '#lib/contract/wire.ts'
import { onlyAbout, type Result } from '#lib/service/answer.ts'
import { read, type Sent, send } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { isSameText } from '#lib/values/text.ts'

/** `GET merchant-terminals`. A row that does not fit the contract, or is of another merchant, is unreadable. */
export async function listTerminals(session: Session, merchantId: string): Promise<Result<readonly Row<Terminal>[]>> {
  const result = await read(session, endpoints.terminals.list, {}, { merchantId })
  if (!result.ok) return result
  const rows = result.value.map(
    (row): Row<Terminal> => (row.readable && !isSameText(row.value.merchantId, merchantId) ? { readable: false } : row),
  )
  return { ...result, value: rows }
}

/** `GET merchant-terminals/{terminalId}`. */
export const readTerminal = async (session: Session, terminalId: string): Promise<Result<Terminal>> =>
  onlyAbout(terminalId, await read(session, endpoints.terminals.read, { terminalId }))

/** `POST merchant-terminals`. The interface does not specify the answer. */
export const registerTerminal = (
  session: Session,
  terminal: { readonly merchantId: string; readonly terminalUid: string; readonly label?: string },
): Promise<Sent<unknown>> => send(session, endpoints.terminals.register, {}, terminal)

/** `POST merchant-terminals/{terminalId}/disable`. */
export const disableTerminal = (session: Session, terminalId: string): Promise<Sent<unknown>> =>
  send(session, endpoints.terminals.disable, { terminalId }, undefined)
