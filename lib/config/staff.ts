import 'server-only'
import { z } from 'zod'
import { type Scope, scopes } from '#lib/contract/scopes.ts'

export interface StaffClaim {
  readonly name: string
  readonly values: readonly string[]
}

/** `name=value,value`; the first equals sign separates, because a name may be a URL. */
export const staffClaim = z.string().transform((value, context): StaffClaim => {
  const at = value.indexOf('=')
  const name = value.slice(0, Math.max(at, 0)).trim()
  const values = value
    .slice(at + 1)
    .split(',')
    .map((part) => part.trim())
  if (name === '' || values.includes('')) {
    context.addIssue({ code: 'custom', message: 'must be NAME=VALUE,VALUE: a claim and its values' })
  }
  return { name, values }
})

/** No wallet holder has one of these. */
const STAFF_SCOPES: readonly Scope[] = [
  'core:transactions:confirm',
  'core:cards:create',
  'core:cards:manage',
  'core:disputes:resolve',
  'core:merchant_terminals:create',
  'core:merchant_terminals:disable',
]

const scopeList = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .pipe(z.array(z.enum(scopes, { error: `must name scopes: ${scopes.join(', ')}` })))

export const staffScopes = scopeList.default([...STAFF_SCOPES])

export const adminScopes = scopeList.default([])
