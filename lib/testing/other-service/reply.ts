import { words } from './variants.ts'
import type { Person, World } from './world.ts'

/** What a request is answered with, before it is written. Without `data` an answer has no body. */
export interface Reply {
  readonly status: number
  readonly data?: unknown
  readonly problem?: object
}

/** A request whose caller is known. */
export interface Call {
  readonly world: World
  readonly caller: Person
  /** Of the path, decoded. */
  readonly id: string
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
  readonly grant: string | null
}

export const ok = (data: unknown): Reply => ({ status: 200, data })

/** What it answers where the interface does not show a body. */
export const noContent: Reply = { status: 204 }

/** A problem document with the fields that cannot be missing, and no other. */
export const refuse = (status: number, code: string = words.refusal): Reply => ({
  status,
  problem: { type: `urn:ocs:error:${code}`, status },
})

/** One page of a list, as the query asks for it. */
export function pageOf<Row>(rows: readonly Row[], query: URLSearchParams): readonly Row[] {
  const page = Number(query.get('page') ?? 1)
  const size = Math.min(100, Number(query.get('pageSize') ?? 20))
  return rows.slice((page - 1) * size, page * size)
}

export const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Refuses a gated change of somebody enrolled who has no valid grant; null lets it pass. */
export const gate = ({ caller, grant }: Call): Reply | null =>
  caller.factor !== 'on' || (grant !== null && caller.grants.has(grant))
    ? null
    : refuse(403, 'core::gatekeeper::required')
