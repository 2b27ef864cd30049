import type { Selectable } from 'kysely'
import type { Tables } from '#sandbox/world/tables.ts'

export type Terminal = Selectable<Tables['terminal']>

export const terminalBody = (terminal: Terminal) => ({
  id: terminal.id,
  merchantId: terminal.merchant_id,
  terminalUid: terminal.terminal_uid,
  label: terminal.label,
  status: terminal.status,
  registeredAt: terminal.registered_at,
  updatedAt: terminal.updated_at,
})
