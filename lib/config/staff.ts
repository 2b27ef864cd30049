import 'server-only'
import { z } from 'zod'
import { type Scope, scopes } from '#lib/contract/scopes.ts'

export interface StaffClaim {
  readonly name: string
  readonly values: readonly string[]
}

const PARTS_MOST = 16

/** Names that objects inherit. */
export const isUnsafeName = (name: string): boolean => ['__proto__', 'constructor', 'prototype'].includes(name)

function claimNameFault(name: string): string | null {
  const parts = name.split('.')
  if (parts.some(isUnsafeName)) return 'must not contain __proto__, constructor or prototype'
  return parts.length > PARTS_MOST ? `must have at most ${PARTS_MOST} parts between dots` : null
}

/** The name of a claim, or a path such as `realm_access.roles`. */
export const claimName = z
  .string()
  .trim()
  .min(1, 'is empty')
  .superRefine((name, context) => {
    const fault = claimNameFault(name)
    if (fault !== null) context.addIssue(fault)
  })

/** `name=value,value`; the first equals sign separates, because a name may be a URL. */
export const staffClaim = z.string().transform((value, context): StaffClaim => {
  const at = value.indexOf('=')
  const name = value.slice(0, Math.max(at, 0)).trim()
  const values = value
    .slice(at + 1)
    .split(',')
    .map((part) => part.trim())
  if (name === '' || values.includes('')) context.addIssue('must be NAME=VALUE,VALUE: a claim and its values')
  const fault = claimNameFault(name)
  if (fault !== null) context.addIssue(fault)
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
