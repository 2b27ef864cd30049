import { cookies } from 'next/headers'
import { after } from 'next/server'
import { z } from 'zod'
import { executeCommand } from '#lib/commands/execute.ts'
import { lookAtCommand } from '#lib/commands/look.ts'
import { withdrawCommand } from '#lib/commands/withdraw.ts'
import { rotateHandle } from '#lib/session/rotate-handle.ts'
import { readJson } from '#lib/session/same-origin.ts'
import { refuse } from '../../answer.ts'
import { answer, serveDoor } from '../door.ts'

interface Context {
  readonly params: Promise<{ readonly id: string }>
}

const PROOF_MAX = 500
const given = z.strictObject({ code: z.string().max(20).optional(), proof: z.string().max(PROOF_MAX).optional() })

/** The door's second half: sends a draft, once. The call goes on if the browser leaves, and past a stop of the process. */
export function POST(request: Request, { params }: Context): Promise<Response> {
  return serveDoor(request, async (session) => {
    const body = given.safeParse((await readJson(request))?.body)
    if (!body.success) return refuse(400, 'This is not how a change is confirmed.')
    const { code = null, proof = null } = body.data
    const id = (await params).id
    const reply = await executeCommand(session, id, { code, proof }, (running) => after(() => running))
    // It is told when a code has just been accepted.
    if (reply.ok && typeof reply.verifiedUntil === 'string') await rotateHandle(session, await cookies())
    return answer(reply)
  })
}

/** What is known of a command. `?look=now` reads the service at once. */
export function GET(request: Request, { params }: Context): Promise<Response> {
  const now = new URL(request.url).searchParams.get('look') === 'now'
  return serveDoor(request, async (session) => answer(await lookAtCommand(session, (await params).id, now)))
}

/** Takes a draft back, or a command that waits for a code. */
export function DELETE(request: Request, { params }: Context): Promise<Response> {
  return serveDoor(request, async (session) => answer(await withdrawCommand(session, (await params).id)))
}
