import 'server-only'
import { createHmac } from 'node:crypto'
import { config } from '#lib/config/config.ts'
import type { StaffClaim } from '#lib/config/staff.ts'
import { envelope, fillPath } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { parseJson } from '#lib/contract/json.ts'
import { withPrefix } from '#lib/contract/scopes.ts'
import { scopesResult } from '#lib/contract/users.ts'
import type { AdmittedBy, SignInMethod } from '#lib/session/session.ts'
import { callService } from '#lib/telemetry/spans.ts'
import { type ClaimReading, type Claims, readClaim } from './claim.ts'

export type Admission =
  | { readonly ok: true; readonly by: AdmittedBy }
  | { readonly ok: false; readonly cause: 'not-staff' | 'groups-left-out'; readonly claim?: ClaimReading }
  | { readonly ok: false; readonly cause: 'scopes-unreadable' }

export interface Applicant {
  readonly userId: string
  readonly accessToken: string
}

export async function admitWithSso(claims: Claims, applicant: Applicant): Promise<Admission> {
  const { staffClaim } = config()
  if (staffClaim === null) return await admitByScopes(applicant)
  const claim = readClaim(claims, staffClaim)
  if (claim.shape === 'match') return { ok: true, by: 'claim' }
  return { ok: false, cause: claim.shape === 'overage' ? 'groups-left-out' : 'not-staff', claim }
}

/** Unreadable scopes admit no one. */
export async function admitByScopes({ userId, accessToken }: Applicant): Promise<Admission> {
  const scopes = await ownScopes(userId, accessToken)
  if (scopes === null) return { ok: false, cause: 'scopes-unreadable' }
  return holdsStaffScope(scopes) ? { ok: true, by: 'scopes' } : { ok: false, cause: 'not-staff' }
}

export function readStaffClaim(claims: Claims): ClaimReading | null {
  const { staffClaim } = config()
  return staffClaim === null ? null : readClaim(claims, staffClaim)
}

export function hasAdminClaim(claims: Claims): boolean {
  const { adminClaim } = config()
  return adminClaim !== null && readClaim(claims, adminClaim).shape === 'match'
}

/** An absent claim meets neither. */
export function unmetSignInClass({ acr, amr }: Claims): 'acr' | 'amr' | null {
  const { acrValues, amrValues } = config().sso
  if (acrValues.length > 0 && !(typeof acr === 'string' && acrValues.includes(acr))) return 'acr'
  return amrValues.length > 0 && ![amr].flat().some((method) => amrValues.some((value) => value === method))
    ? 'amr'
    : null
}

export const holdsStaffScope = (scopes: ReadonlySet<string>): boolean =>
  config().staffScopes.some((scope) => scopes.has(scope))

/** Saved with the session, so that a changed configuration ends it. */
export function ruleOf(by: AdmittedBy): string {
  const { staffClaim, sso } = config()
  const id = sso.userIdClaim === 'sub' ? [] : [` id=${sso.userIdClaim}`]
  const [acr, amr] = [sso.acrValues.map((value) => ` acr=${value}`), sso.amrValues.map((value) => ` amr=${value}`)]
  const values = [...acr, ...amr, ...id].join('')
  if (by === 'scopes') return `scopes${values}`
  if (staffClaim === null) throw new Error('no claim is configured that could let somebody in')
  return claimText(staffClaim) + values
}

const claimText = ({ name, values }: StaffClaim): string => `claim ${name}=${values.join(',')}`

/** Saved with the session. The MAC keeps an altered row from giving rights. */
export function adminRule(sessionId: string): string | null {
  const { adminClaim, auditKey } = config()
  if (adminClaim === null) return null
  const rule = claimText(adminClaim)
  const mac = createHmac('sha256', auditKey).update(JSON.stringify(['administration', sessionId, rule]))
  return `${rule} ${mac.digest('base64url')}`
}

export const isAdminRule = (rule: string | null, sessionId: string): boolean =>
  rule !== null && rule === adminRule(sessionId)

/** Null when `rule` no longer matches the configuration. */
export function admittingRule(method: SignInMethod, rule: string): AdmittedBy | null {
  const { staffClaim, passwordSignIn } = config()
  if (method === 'password' && !passwordSignIn) return null
  const claimDecides = staffClaim !== null
  if (rule === ruleOf('scopes')) return method === 'password' || !claimDecides ? 'scopes' : null
  return claimDecides && rule === ruleOf('claim') ? 'claim' : null
}

const TIMEOUT_MS = 10_000

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
