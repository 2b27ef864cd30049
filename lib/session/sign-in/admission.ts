import 'server-only'
import { createHmac } from 'node:crypto'
import { config } from '#lib/config/config.ts'
import type { StaffClaim } from '#lib/config/staff.ts'
import { fillPath } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { parseJson } from '#lib/contract/json.ts'
import { withPrefix } from '#lib/contract/scopes.ts'
import { scopesResult } from '#lib/contract/users.ts'
import { envelope } from '#lib/contract/wire.ts'
import type { AdmittedBy, SignInMethod } from '#lib/session/session.ts'
import { callService } from '#lib/telemetry/call-service.ts'

export type Admission =
  | { readonly ok: true; readonly by: AdmittedBy }
  | { readonly ok: false; readonly cause: 'not-staff'; readonly claim?: ClaimReading }
  | { readonly ok: false; readonly cause: 'scopes-unreadable' }

/** Never contains the claim's values. */
export interface ClaimReading {
  /** `overage`: too many groups for the token (Microsoft Entra ID). */
  readonly shape: 'match' | 'no-match' | 'absent' | 'not-text' | 'overage'
  /** Texts in the claim. */
  readonly values: number
  /** Items that are not text. */
  readonly ignored: number
}

export interface Applicant {
  readonly userId: string
  readonly accessToken: string
}

export type Claims = Readonly<Record<string, unknown>>

export async function admitWithSso(claims: Claims, applicant: Applicant): Promise<Admission> {
  const { staffClaim } = config()
  if (staffClaim === null) return await admitByScopes(applicant)
  const claim = readClaim(claims, staffClaim)
  return claim.shape === 'match' ? { ok: true, by: 'claim' } : { ok: false, cause: 'not-staff', claim }
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

export function readClaim(claims: Claims, { name, values }: StaffClaim): ClaimReading {
  const held = Object.hasOwn(claims, name) ? claims[name] : undefined
  const items = itemsOf(held)
  const texts = textsIn(held)
  const counts = { values: texts.length, ignored: items.length - texts.length }
  if (texts.some((text) => values.includes(text))) return { shape: 'match', ...counts }
  if (isLeftOut(claims, name)) return { shape: 'overage', ...counts }
  if (held == null) return { shape: 'absent', ...counts }
  return { shape: items.length > 0 && texts.length === 0 ? 'not-text' : 'no-match', ...counts }
}

function itemsOf(held: unknown): readonly unknown[] {
  if (Array.isArray(held)) return held
  return held == null ? [] : [held]
}

const textsIn = (held: unknown): readonly string[] => itemsOf(held).filter((item) => typeof item === 'string')

/** OpenID Connect Core, section 5.6.2; Entra ID also uses `hasgroups`. */
function isLeftOut({ _claim_names: elsewhere, hasgroups }: Claims, name: string): boolean {
  if (typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name)) return true
  return name === 'groups' && (hasgroups === true || hasgroups === 'true')
}

/** An absent claim meets neither. */
export function unmetSignInClass({ acr, amr }: Claims): 'acr' | 'amr' | null {
  const { acrValues, amrValues } = config().sso
  if (acrValues.length > 0 && !(typeof acr === 'string' && acrValues.includes(acr))) return 'acr'
  return amrValues.length > 0 && !textsIn(amr).some((method) => amrValues.includes(method)) ? 'amr' : null
}

export const holdsStaffScope = (scopes: ReadonlySet<string>): boolean =>
  config().staffScopes.some((scope) => scopes.has(scope))

/** Saved with the session, so that a changed configuration ends it. */
export function ruleOf(by: AdmittedBy): string {
  const { staffClaim, sso } = config()
  const values = [...sso.acrValues.map((acr) => ` acr=${acr}`), ...sso.amrValues.map((amr) => ` amr=${amr}`)].join('')
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

/** Null when `rule` no longer matches the configuration. */
export function admittingRule(method: SignInMethod, rule: string): AdmittedBy | null {
  const claimDecides = config().staffClaim !== null
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
