import { after } from 'next/server'
import { z } from 'zod'
import { TYPED_CODE_MAX_CHARS } from '#lib/commands/code.ts'
import type { CommandReply } from '#lib/commands/command.ts'
import { executeCommand, hasCommand, sendAtOnce } from '#lib/commands/execute.ts'
import { commandNamed } from '#lib/commands/kind.ts'
import { assertion } from '#lib/commands/policy/passkeys.ts'
import { withdrawCommand } from '#lib/commands/prepare.ts'
import { readCommand } from '#lib/commands/reconcile.ts'
import { readAnyJson } from '#lib/session/request-guards.ts'
import { Session } from '#lib/session/session.ts'
import { rotateHandle } from '#lib/session/vault/vault.ts'
import { type Params, readBody, refuse, UNBUFFERED } from '../../answer.ts'
import { answer, commandFault, digest, notDrafted, PROOF_MAX_CHARS, refuseNew, serveCommand } from '../endpoint.ts'

const mayChangeFactor = ({ command: { kind, outcome } }: Extract<CommandReply, { ok: true }>): boolean =>
  (kind === 'totp.confirm' || kind === 'totp.remove') && (outcome.class === 'done' || outcome.class === 'unknown')

const input = z.strictObject({
  code: z.string().max(TYPED_CODE_MAX_CHARS).optional(),
  proof: z.string().max(PROOF_MAX_CHARS).optional(),
  passkey: assertion.optional(),
  acknowledged: digest.optional(),
})

const requestBody = z.strictObject({ owner: z.string().optional(), kind: z.string(), params: z.unknown() })

/** Drafts and sends, for kinds without confirmation. A repeated id gets its outcome. `owner`: the page's actor. */
export const PUT = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveCommand(request, async (session) => {
    const id = z.uuid().safeParse((await params).id)
    const body = requestBody.safeParse((await readAnyJson(request))?.body)
    const kind = body.success ? commandNamed(body.data.kind) : undefined
    if (!id.success || !body.success || kind === undefined || !kind.immediate || ('send' in kind && kind.takesCode)) {
      return refuse(400, 'Change not found.')
    }
    const { owner = session.actor } = body.data
    if (owner !== session.actor) return refuse(409, 'Someone else is signed in now.')
    const refused = (await hasCommand(id.data)) ? null : await refuseNew(session, kind)
    if (refused !== null) return refused
    const sent = { id: id.data, kind, params: body.data.params }
    const reply = await sendAtOnce(session, sent, (running) => after(() => running))
    return 'fields' in reply ? notDrafted(reply) : answer(reply)
  })

/** Sends a draft, once. The call continues if the browser leaves, and a stopping process waits for it. */
export const POST = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveCommand(request, async (session) => {
    const body = await readBody(request, input)
    if (body === null) return refuse(400, 'Invalid request.')
    const { code = null, proof = null, passkey = null, acknowledged = null } = body
    const confirmed = { code, proof, passkey, acknowledged }
    const executing = executeCommand(session, (await params).id, confirmed, (running) => after(() => running))
    return await answerOnceRotated(
      session,
      executing.then((reply) => answerRotated(session, reply)),
    )
  })

async function answerRotated(session: Session, reply: CommandReply): Promise<Response> {
  if (reply.ok && mayChangeFactor(reply)) await rotateHandle(session)
  return answer(reply)
}

/** Starts once the handle is rotated: a browser that leaves has the new cookie. JSON allows the line break. */
async function answerOnceRotated(session: Session, executing: Promise<Response>): Promise<Response> {
  const first = await Promise.race([executing, Session.whenRotated(session)])
  if (typeof first !== 'string') return first
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(encoder.encode('\n'))
      const answered = await executing.catch((error: unknown) => commandFault(error))
      controller.enqueue(encoder.encode(await answered.text()))
      controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'application/json', ...UNBUFFERED } })
}

/** `?look=now` reads the service first. */
export function GET(request: Request, { params }: Params<'id'>): Promise<Response> {
  const now = new URL(request.url).searchParams.get('look') === 'now'
  return serveCommand(request, async (session) => answer(await readCommand(session, (await params).id, now)))
}

/** Withdraws a draft or a command that waits. `?why=unanswered`: the browser got no answer to its confirmation. */
export function DELETE(request: Request, { params }: Params<'id'>): Promise<Response> {
  const isUnanswered = new URL(request.url).searchParams.get('why') === 'unanswered'
  return serveCommand(request, async (session) =>
    answer(await withdrawCommand(session, (await params).id, isUnanswered ? 'unanswered' : 'cancelled')),
  )
}
