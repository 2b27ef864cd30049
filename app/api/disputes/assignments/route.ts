import { z } from 'zod'
import { assignCases, refusedToTakeOver } from '#lib/disputes/workspace/assign-cases.ts'
import { caseId } from '#lib/disputes/workspace/case-assignment.ts'
import { listPeople } from '#lib/disputes/workspace/case-people.ts'
import { ASSIGN_MAX, caseNoteFault } from '#lib/disputes/workspace/workspace.ts'
import { json, readBody, refuse, serveSession } from '../../answer.ts'
import { refuseNew, serveCommand } from '../../commands/endpoint.ts'

const requestBody = z.strictObject({
  caseIds: z.array(caseId).min(1).max(ASSIGN_MAX),
  to: z.enum(['me', 'none']).or(z.strictObject({ person: z.string().min(1), note: z.string().trim() })),
  from: z.string().min(1).optional(),
})

export const GET = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => json({ ok: true, ...(await listPeople(session)) }))

/** Returns a result per case, in order. Assignments continue if the browser leaves. */
export const POST = (request: Request): Promise<Response> =>
  serveCommand(request, async (session) => {
    const body = await readBody(request, requestBody)
    if (body === null) return refuse(400, `Give the ids of up to ${ASSIGN_MAX} cases and an assignee.`)
    const { caseIds, to, from = null } = body
    const note = typeof to === 'string' ? '' : to.note
    const fault = note === '' ? null : caseNoteFault(note)
    if (fault !== null) return refuse(400, fault)
    const refused = await refuseNew(session, { kind: 'case.assign' })
    if (refused !== null) return refused
    const problem = from === null ? null : await refusedToTakeOver(session)
    if (problem !== null) return json({ ok: false, fields: {}, problem }, 403)
    return json({ ok: true, cases: await assignCases(session, [...new Set(caseIds)], to, from) })
  })
