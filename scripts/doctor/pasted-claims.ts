import { createReadStream } from 'node:fs'
import type { Config } from '#lib/config/config.ts'
import { type ClaimReading, type Claims, readClaim, readTextClaim } from '#lib/session/sign-in/claim.ts'
import { type Finding, found, good, note } from './faults.ts'

const TEXT_MAX_BYTES = 1024 * 1024
const PASTED = 'The pasted payload'

/** Null: unreadable or too large. `-` is standard input, so that no token is in the list of processes. */
export async function readPasted(path: string): Promise<string | null> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of path === '-' ? process.stdin : createReadStream(path)) {
      size += (part as Buffer).length
      if (size > TEXT_MAX_BYTES) return null
      parts.push(part as Buffer)
    }
  } catch {
    return null
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Findings name shapes and counts, never a value. */
export function lookAtPasted({ sso, staffClaim, adminClaim }: Config, pasted: string | null): readonly Finding[] {
  const claims = pasted === null ? null : claimsIn(pasted.trim())
  if (claims === null) return [found('pasted', PASTED)]
  const hasId = readTextClaim(claims, sso.userIdClaim) !== null
  const findings = [
    hasId
      ? good(`OIDC_USER_ID_CLAIM gives a user id for the pasted payload.`)
      : found('pasted-id', 'OIDC_USER_ID_CLAIM'),
  ]
  if (staffClaim === null) findings.push(note('STAFF_CLAIM is not set: scopes of the service admit people.'))
  else {
    const reading = readClaim(claims, staffClaim)
    const isStaff = reading.shape === 'match'
    findings.push(
      isStaff ? good('STAFF_CLAIM admits the pasted payload.') : found('pasted-claim', 'STAFF_CLAIM', wordsOf(reading)),
    )
  }
  if (adminClaim === null) return findings
  const reading = readClaim(claims, adminClaim)
  const words = reading.shape === 'match' ? 'makes an administrator' : `makes no administrator: ${wordsOf(reading)}`
  return [...findings, note(`STAFF_ADMIN_CLAIM ${words}.`)]
}

function wordsOf({ shape, values, ignored }: ClaimReading): string {
  const counts = `texts: ${values}, other items: ${ignored}`
  const words: Readonly<Record<ClaimReading['shape'], string>> = {
    match: 'it matches',
    'no-match': `none of its texts is configured (${counts})`,
    absent: 'it is absent',
    'not-text': `it has no text (${counts})`,
    overage: 'the provider left the groups out because there are too many; use app roles instead',
    ambiguous: 'several places fit its path',
    'too-large': 'it is too large',
  }
  return words[shape]
}

/** A payload, or a whole token, whose signature is not checked. */
function claimsIn(text: string): Claims | null {
  const [, payload, ...rest] = text.split('.')
  const isToken = !text.startsWith('{') && payload !== undefined && rest.length === 1
  try {
    const claims: unknown = JSON.parse(isToken ? Buffer.from(payload, 'base64url').toString('utf8') : text)
    return typeof claims === 'object' && claims !== null && !Array.isArray(claims) ? (claims as Claims) : null
  } catch {
    return null
  }
}
