import { cookies } from 'next/headers'
import { unstable_rethrow } from 'next/navigation'
import type { z } from 'zod'
import { type Refusal, refusalProblem, refusedFrom } from '#lib/authorization/judge.ts'
import { entryOf, onlyReads, stopsWithLog, templateOf } from '#lib/authorization/routes.ts'
import { hasRoom, tooManyChanges } from '#lib/commands/rate-limit.ts'
import { resumeOpenCommands } from '#lib/commands/reconcile.ts'
import { recordRefusal } from '#lib/commands/record.ts'
import { consoleProblem, STORE_OUT } from '#lib/commands/send.ts'
import { log } from '#lib/config/log.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { HANDLE_REPLACED, problemOf } from '#lib/contract/problem-of.ts'
import { refusedByWitness } from '#lib/journal/witness.ts'
import { HANDLE_COOKIE, handleCookieOptions } from '#lib/session/cookie.ts'
import { currentSession } from '#lib/session/current.ts'
import { bodyOf, foreignRequest, readJson, refusedBody } from '#lib/session/request-guards.ts'
import { Session } from '#lib/session/session.ts'
import { isCurrentHandle } from '#lib/session/vault/handle-table.ts'
import { store } from '#lib/store/store.ts'

export interface Params<Name extends string> {
  readonly params: Promise<Readonly<Record<Name, string>>>
}

const NO_STORE = { 'cache-control': 'no-store' } as const

export const json = (body: unknown, status = 200): Response => Response.json(body, { status, headers: NO_STORE })

export function attachment(body: BodyInit, type: string, name: string | null): Response {
  const disposition = name === null ? 'attachment' : `attachment; filename="${name}"`
  return new Response(body, { headers: { 'content-type': type, 'content-disposition': disposition, ...NO_STORE } })
}

/** Prevents compression, and buffering in proxies. */
export const UNBUFFERED = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' } as const

/** Newline-delimited JSON, read as the browser takes it. `atOnce` sends each line uncompressed and unbuffered. */
export function jsonLines(frames: AsyncGenerator<unknown>, { atOnce = false } = {}): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await frames.next()
        if (next.done) controller.close()
        else controller.enqueue(encoder.encode(`${JSON.stringify(next.value)}\n`))
      },
      async cancel() {
        await frames.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
  const usual = { 'content-type': 'application/x-ndjson; charset=utf-8', ...NO_STORE }
  return new Response(body, { headers: atOnce ? { ...usual, ...UNBUFFERED } : usual })
}

/** A refusal by the console, in the same shape as one by the service. */
export const refuse = (status: number, title: string, code: string | null = null): Response =>
  json({ ok: false, fields: {}, problem: problemOf(kindOf(status), { status, title, code }) }, status)

/** 503 where the service's status is no error. */
export function refuseAs(refused: { readonly ok: false; readonly problem: Problem }): Response {
  const { status } = refused.problem
  return json({ ...refused, fields: {} }, status !== null && status >= 400 && status <= 599 ? status : 503)
}

function kindOf(status: number): Problem['kind'] {
  if (status === 401) return 'session-over'
  return status >= 500 ? 'console' : 'service'
}

export function refuseTooMany(): Response {
  const refusal = json({ ok: false, fields: {}, problem: tooManyChanges }, 429)
  refusal.headers.set('retry-after', String(tooManyChanges.retryAfterSeconds))
  return refusal
}

export const refuseAccess = (refusal: Refusal): Response =>
  json({ ok: false, fields: {}, problem: refusalProblem(refusal) }, 403)

const bodyWords = { 413: 'This request is too large.', 415: 'This request is not JSON.' } as const

/** Null when the body does not match. */
export const readBody = async <Body>(request: Request, schema: z.ZodType<Body>): Promise<Body | null> =>
  schema.safeParse((await readJson(request))?.body).data ?? null

type Serve = (session: Session) => Promise<Response>

/** For a signed-in person's same-origin request that the route table permits; refuses before reading the body. */
export function serveSession(request: Request, serve: Serve): Promise<Response> {
  const status = refusedBody(request)
  return serveSigned(request, status === null ? null : refuse(status, bodyWords[status]), serve)
}

/** {@link serveSession} for a body of this schema; `words` refuse any other. */
export const serveBody = <Body>(
  request: Request,
  schema: z.ZodType<Body>,
  words: string,
  serve: (session: Session, body: Body) => Promise<Response>,
): Promise<Response> =>
  serveSession(request, async (session) => {
    const body = await readBody(request, schema)
    return body === null ? refuse(400, words) : await serve(session, body)
  })

/** {@link serveSession} for a form with a file; the caller must limit the size of what it reads. */
export function serveForm(request: Request, serve: Serve): Promise<Response> {
  const form = /^multipart\/form-data\s*;/i.test(request.headers.get('content-type') ?? '')
  return serveSigned(request, form ? null : refuse(415, 'This request is not a form.'), serve)
}

/** The command endpoint reports errors of changes. The answer contains no details of the error. */
async function serveSigned(request: Request, refused: Response | null, serve: Serve): Promise<Response> {
  try {
    return await serveAdmitted(request, refused, serve)
  } catch (error) {
    unstable_rethrow(error)
    return unavailable(error)
  }
}

/** The answer when the console itself failed. */
export function unavailable(error: unknown, storeOut = STORE_OUT): Response {
  const problem = consoleProblem(error, storeOut)
  return json({ ok: false, fields: {}, problem }, problem.status ?? 500)
}

async function serveAdmitted(request: Request, refused: Response | null, serve: Serve): Promise<Response> {
  const why = foreignRequest(request)
  if (why !== null) return refuse(403, `Request refused: ${why}.`)
  if (refused !== null) return refused
  const session = await currentSession()
  if (session === null) return refuse(401, 'Your session has ended.')
  void resumeOpenCommands(session).catch(() => {})
  try {
    return (await refusedAt(request, session)) ?? (await serve(session))
  } finally {
    await giveNewHandle(session)
  }
}

/** Sets the new cookie if this request rotated the session handle. */
async function giveNewHandle(session: Session): Promise<void> {
  const handle = Session.newHandleOf(session)
  if (handle === null) return
  ;(await cookies()).set(HANDLE_COOKIE, handle, { ...handleCookieOptions, expires: new Date(session.endsAt) })
}

/** A long upload may outlast its session handle, so this reads the body first and then checks the handle again. */
async function isReplaced(request: Request, session: Session): Promise<boolean> {
  const { isReplaced, idHash } = Session.handleOf(session)
  if (isReplaced || request.body === null || refusedBody(request) !== null) return isReplaced
  await bodyOf(request)
  return !(await isCurrentHandle(await store(), idHash))
}

/** Call it once a form has been read: the guard leaves its body to the handler. */
export async function refusedAfterForm(request: Request, session: Session): Promise<Response | null> {
  const isCurrent = await isCurrentHandle(await store(), Session.handleOf(session).idHash)
  return isCurrent ? null : refuseReplaced(request)
}

function refuseReplaced({ method, url }: Request): Response {
  log().warn({ event: 'replaced-handle', method, route: templateOf(new URL(url).pathname) }, 'refused')
  return refuse(401, 'This session was renewed. Sign in again.', HANDLE_REPLACED)
}

async function refusedAt(request: Request, session: Session): Promise<Response | null> {
  const { method, url } = request
  const { pathname } = new URL(url)
  const entry = entryOf(method, pathname)
  if (entry === null) return refuse(403, 'No one is permitted to do this.')
  if (!onlyReads(method, entry) && (await isReplaced(request, session))) return refuseReplaced(request)
  const problem = stopsWithLog(method, pathname) ? await refusedByWitness(await store()) : null
  if (problem !== null) return refuseAs({ ok: false, problem })
  if (entry === 'public' || entry === 'signed-in' || entry === 'change') return null
  const refusal = await refusedFrom(session, entry)
  if (refusal === null) return entry === 'statements.write' ? await refusedRoom(session, method, pathname) : null
  if (entry.endsWith('.write')) await recordRefusal(session, entry, refusal)
  return refuseAccess(refusal)
}

/** Changes of one statement count as one. Confirmations count where they are prepared. */
async function refusedRoom({ actor }: Session, method: string, pathname: string): Promise<Response | null> {
  if (!stopsWithLog(method, pathname) || pathname.endsWith('/work')) return null
  return (await hasRoom(await store(), actor, pathname.split('/')[4])) ? null : refuseTooMany()
}
