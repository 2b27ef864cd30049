import 'server-only'
import { NextRequest } from 'next/server'
import { config } from '#lib/config/config.ts'
import { readText, refusedForm } from '#lib/session/request-guards.ts'

export type JudgedStep =
  | { readonly ok: true; readonly request: NextRequest }
  | {
      readonly ok: false
      readonly status: 400 | 403 | 404 | 405 | 413 | 415
      readonly why: string
      readonly allow?: string
    }

export const FORM_MAX_BYTES = 64 * 1024
const IS_FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i

/** The only steps of next-auth that are reachable. */
const methodOfStep: ReadonlyMap<string, 'GET' | 'POST'> = new Map([
  ['csrf', 'GET'],
  ['signin/sso', 'POST'],
  ['callback/sso', 'GET'],
  ['callback/password', 'POST'],
])

export async function judgeStep(request: NextRequest, step: string): Promise<JudgedStep> {
  const method = step === 'callback/password' && !config().passwordSignIn ? undefined : methodOfStep.get(step)
  if (method === undefined) return { ok: false, status: 404, why: 'There is nothing here.' }
  if (request.method !== method && !(request.method === 'HEAD' && method === 'GET')) {
    return { ok: false, status: 405, why: 'This address does not take this method.', allow: method }
  }
  const query = request.nextUrl.searchParams
  const strange = step === 'signin/sso' && [...query].some(([name, value]) => name !== 'prompt' || value !== 'login')
  // next-auth would pass every other field to the identity provider.
  if (strange) return NO_SUCH_FIELD
  if (leadsElsewhere(query)) return FOREIGN
  return method === 'GET' ? { ok: true, request } : await judgeForm(request)
}

const NO_SUCH_FIELD: JudgedStep = { ok: false, status: 400, why: 'This address does not accept this field.' }
const FOREIGN: JudgedStep = { ok: false, status: 400, why: 'A sign-in leads nowhere but to this console.' }

async function judgeForm(request: NextRequest): Promise<JudgedStep> {
  const status = refusedForm(request)
  if (status === 403) return { ok: false, status, why: 'This form comes from another site.' }
  if (!IS_FORM.test(request.headers.get('content-type') ?? '')) {
    return { ok: false, status: 415, why: 'The body is not a form.' }
  }
  const body = status === 413 ? null : await readText(request, FORM_MAX_BYTES)
  if (body === null) return { ok: false, status: 413, why: 'This form is too large.' }
  if (leadsElsewhere(new URLSearchParams(body))) return FOREIGN
  const { url, headers } = request
  return { ok: true, request: new NextRequest(url, { method: 'POST', headers, body }) }
}

/** Prevents open redirects. */
const leadsElsewhere = (fields: URLSearchParams): boolean => fields.getAll('callbackUrl').some((to) => !isHere(to))

/** Printable ASCII only: next-auth fails on any other text in a header. */
const isHere = (to: string): boolean =>
  /^[\x21-\x7e]*$/.test(to) &&
  (to.startsWith('/') || URL.canParse(to)) &&
  URL.parse(to, config().baseUrl)?.origin === config().baseUrl
