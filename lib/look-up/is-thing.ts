import { merchantIdFault } from '#lib/terminals/index.ts'
import { referenceFault } from '#lib/transactions/index.ts'
import { isUuid } from '#lib/values/uuid.ts'
import type { Thing } from './thing.ts'

export function isThing({ kind, id }: Thing): boolean {
  if (kind === 'transaction') return referenceFault(id) === null
  return kind === 'merchant' ? merchantIdFault(id) === null : isUuid(id)
}
