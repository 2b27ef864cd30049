import { after } from 'next/server'
import { executeCommand } from '#lib/commands/execute.ts'
import { lookAtCommand } from '#lib/commands/look.ts'
import { withdrawCommand } from '#lib/commands/withdraw.ts'
import type { CommandReply } from '#lib/domain/command.ts'
import { json, refuse, serveOwn } from '../../answer.ts'

interface Context {
  readonly params: Promise<{ readonly id: string }>
}

const answer = (reply: CommandReply | null): Response =>
  reply === null || !reply.ok ? refuse(404, 'There is no such change of yours.') : json(reply)

/** The door's second half: sends a draft, once. The call goes on if the browser leaves, and past a stop of the process. */
export function POST(request: Request, { params }: Context): Promise<Response> {
  return serveOwn(request, async (session) =>
    answer(await executeCommand(session, (await params).id, (running) => after(() => running))),
  )
}

/** What is known of a command; one that is open is looked up at the service. */
export function GET(request: Request, { params }: Context): Promise<Response> {
  return serveOwn(request, async (session) => answer(await lookAtCommand(session, (await params).id)))
}

/** Takes a draft back. */
export function DELETE(request: Request, { params }: Context): Promise<Response> {
  return serveOwn(request, async (session) => answer(await withdrawCommand(session, (await params).id)))
}
