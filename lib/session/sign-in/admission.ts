import 'server-only'
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { config } from '#lib/config/config.ts'
import type { StaffClaim } from '#lib/config/staff.ts'
import { fillPath } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { envelope } from '#lib/contract/envelope.ts'
import { parseJson } from '#lib/contract/json.ts'
import { withPrefix } from '#lib/contract/scopes.ts'
import { scopesResult } from '#lib/contract/users.ts'
import type { AdmittedBy, SignInMethod } from '#lib/session/session.ts'
import { callService } from '#lib/telemetry/call-service.ts'

export type Admission =
  | { readonly ok: true; readonly by: AdmittedBy }
  /** `unchecked`: their scopes could not be read, which says nothing about them. */
  | { readonly ok: false; readonly why: 'not-staff' | 'unchecked' }

/** A person whose tokens are fresh, before there is a session. */
export interface Applicant {
  readonly userId: string
  readonly accessToken: string
}

export type Claims = Readonly<Record<string, unknown>>

const claimValue = z.union([z.string().transform((value) => [value]), z.array(z.string())]).catch([])

/** Single sign-on: the claim alone decides where one is configured, else scopes do. */
export async function admitWithSso(claims: Claims, applicant: Applicant): Promise<Admission> {
  if (config().staffClaim === null) return await admitByScopes(applicant)
  return hasStaffClaim(claims) ? { ok: true, by: 'claim' } : { ok: false, why: 'not-staff' }
}

/** Any of STAFF_SCOPES, known for certain. */
export async function admitByScopes({ userId, accessToken }: Applicant): Promise<Admission> {
  const scopes = await ownScopes(userId, accessToken)
  if (scopes === null) return { ok: false, why: 'unchecked' }
  return holdsStaffScope(scopes) ? { ok: true, by: 'scopes' } : { ok: false, why: 'not-staff' }
}

/** Whether claims hold the configured one with a value that tells staff. */
export const hasStaffClaim = (claims: Claims): boolean => hasClaim(claims, config().staffClaim)

/** Whether claims make somebody an administrator. */
export const hasAdminClaim = (claims: Claims): boolean => hasClaim(claims, config().adminClaim)

/** A claim of another shape tells nothing. */
function hasClaim(claims: Claims, wanted: StaffClaim | null): boolean {
  if (wanted === null || !Object.hasOwn(claims, wanted.name)) return false
  return claimValue.parse(claims[wanted.name]).some((value) => wanted.values.includes(value))
}

/** Whether somebody signed in as OIDC_ACR_VALUES and OIDC_AMR_VALUES ask. What the provider does not say counts as no. */
export function signedInAsAsked({ acr, amr }: Claims): boolean {
  const { acrValues, amrValues } = config().sso
  const byClass = acrValues.length === 0 || (typeof acr === 'string' && acrValues.includes(acr))
  return byClass && (amrValues.length === 0 || claimValue.parse(amr).some((method) => amrValues.includes(method)))
}

export const holdsStaffScope = (scopes: ReadonlySet<string>): boolean =>
  config().staffScopes.some((scope) => scopes.has(scope))

/** A rule as the store keeps it: the claim in full, since nothing reads it again between refreshes; and how to sign in. */
export function ruleOf(by: AdmittedBy): string {
  const { staffClaim, sso } = config()
  const asked = [...sso.acrValues.map((acr) => ` acr=${acr}`), ...sso.amrValues.map((amr) => ` amr=${amr}`)].join('')
  if (by === 'scopes') return `scopes${asked}`
  if (staffClaim === null) throw new Error('no claim is configured that could let somebody in')
  return claimText(staffClaim) + asked
}

const claimText = ({ name, values }: StaffClaim): string => `claim ${name}=${values.join(',')}`

/** The claim that makes an administrator, as the store keeps it of one session, with its MAC; null where none is configured. */
export function adminRule(sessionId: string): string | null {
  const { adminClaim, auditKey } = config()
  if (adminClaim === null) return null
  const rule = claimText(adminClaim)
  const mac = createHmac('sha256', auditKey).update(JSON.stringify(['administration', sessionId, rule]))
  return `${rule} ${mac.digest('base64url')}`
}

/** What lets a session go on that was admitted by a rule; null when that rule no longer holds. */
export function admittingRule(method: SignInMethod, rule: string): AdmittedBy | null {
  const claimDecides = config().staffClaim !== null
  if (rule === ruleOf('scopes')) return method === 'password' || !claimDecides ? 'scopes' : null
  return claimDecides && rule === ruleOf('claim') ? 'claim' : null
}

const TIMEOUT_MS = 10_000

/** `GET Users/{id}/scopes` with a token that no session has yet; null when they are not known for certain. */
async function ownScopes(userId: string, accessToken: string): Promise<ReadonlySet<string> | null> {
  try {
    const answer = await callService(endpoints.users.scopes, {
      url: new URL(config().coreApiUrl + fillPath(endpoints.users.scopes.path, { id: userId })),
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      reuseConnection: false,
    })
    if (answer.kind !== 'answer' || answer.status !== 200) return null
    return new Set(envelope(scopesResult).parse(parseJson(answer.body)).data.scopes.map(withPrefix))
  } catch {
    return null
  }
}
