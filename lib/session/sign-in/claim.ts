import 'server-only'
import { isUnsafeName, type StaffClaim } from '#lib/config/staff.ts'

export type Claims = Readonly<Record<string, unknown>>

/** Never contains the claim's values. */
export interface ClaimReading {
  /** `overage`: too many groups for the token (Microsoft Entra ID). `ambiguous`: several places fit the name. */
  readonly shape: 'match' | 'no-match' | 'absent' | 'not-text' | 'overage' | 'ambiguous' | 'too-large'
  readonly values: number
  /** Items that are not text. */
  readonly ignored: number
}

const ITEMS_MOST = 5_000
const TEXT_MAX_CHARS = 64 * 1024
/** OpenID Connect Core, section 2. */
const ID_MAX_CHARS = 255

export function readClaim(claims: Claims, { name, values }: StaffClaim): ClaimReading {
  const places = placesOf(claims, name)
  if (places.length > 1) return { shape: 'ambiguous', values: 0, ignored: 0 }
  const [held] = places
  const items = itemsOf(held, values)
  if (items === null) return { shape: 'too-large', values: 0, ignored: 0 }
  const texts = items.filter((item) => typeof item === 'string')
  const counts = { values: texts.length, ignored: items.length - texts.length }
  if (texts.some((text) => values.includes(text))) return { shape: 'match', ...counts }
  if (isLeftOut(claims, name)) return { shape: 'overage', ...counts }
  if (held == null) return { shape: 'absent', ...counts }
  return { shape: items.length > 0 && texts.length === 0 ? 'not-text' : 'no-match', ...counts }
}

export function readTextClaim(claims: Claims, name: string): string | null {
  const [held, ...others] = placesOf(claims, name)
  const isId = others.length === 0 && typeof held === 'string' && held !== '' && held.length <= ID_MAX_CHARS
  return isId ? held : null
}

const placesOf = (claims: Claims, name: string): readonly unknown[] =>
  Object.hasOwn(claims, name) && !isUnsafeName(name) ? [claims[name]] : placesBelow(claims, name)

/** A name on the path may have dots too. */
function placesBelow(holder: unknown, path: string): readonly unknown[] {
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return []
  const own = (name: string): unknown[] =>
    Object.hasOwn(holder, name) && !isUnsafeName(name) ? [(holder as Claims)[name]] : []
  const found = own(path)
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    found.push(...own(path.slice(0, dot)).flatMap((below) => placesBelow(below, path.slice(dot + 1))))
  }
  return found
}

/** A text alone is a list separated by spaces, unless a configured value has a space. Null: too large. */
function itemsOf(held: unknown, values: readonly string[]): readonly unknown[] | null {
  if (Array.isArray(held)) return held.length > ITEMS_MOST ? null : held
  if (typeof held !== 'string') return held == null ? [] : [held]
  if (held.length > TEXT_MAX_CHARS) return null
  return values.some((value) => value.includes(' ')) ? [held] : held.split(' ').filter((word) => word !== '')
}

/** OpenID Connect Core, section 5.6.2; Entra ID also uses `hasgroups`. */
function isLeftOut({ _claim_names: elsewhere, hasgroups }: Claims, name: string): boolean {
  const isNamed = (part: string) =>
    typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, part)
  if (isNamed(name) || isNamed(name.split('.', 1).join(''))) return true
  return name === 'groups' && (hasgroups === true || hasgroups === 'true')
}
