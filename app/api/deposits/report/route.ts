import { recordAudit } from '#lib/session/audit-trail.ts'
import { dayReportFile, reportDay } from '#lib/statements/day-report.ts'
import { store } from '#lib/store/store.ts'
import { attachment, refuse, serveSession } from '../../answer.ts'

/** `?day=2026-11-20`; default: today. */
export const GET = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => {
    const { day, fault } = reportDay(new URL(request.url).searchParams.get('day') ?? '')
    if (fault !== null) return refuse(400, fault)
    const file = await dayReportFile(day)
    const facts = { rows: file.rows, file: file.name }
    await recordAudit(await store(), { by: session, kind: 'export.report', about: day, facts })
    return attachment(file.text, 'text/csv; charset=utf-8', file.name)
  })
