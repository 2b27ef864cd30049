import { z } from 'zod'
import { refusedBy } from '#lib/authorization/judge.ts'
import { sharedViews } from '#lib/authorization/table.ts'
import { VIEWS_MAX, viewNameFault } from '#lib/session/saved-view.ts'
import { addView, SHARED } from '#lib/session/saved-view-table.ts'
import { store } from '#lib/store/store.ts'
import { isViewedTable, readViewState, viewTables } from '../../saved-views/view-tables.ts'
import { NAME_TAKEN, stateFault } from '../../saved-views/views-of-table.ts'
import { json, readBody, refuse, refuseAccess, serveSession } from '../answer.ts'

const requestBody = z.strictObject({
  table: z.string(),
  name: z.string().max(1_000),
  shared: z.boolean(),
  state: z.unknown(),
})

export const POST = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => {
    const body = await readBody(request, requestBody)
    if (body === null || !isViewedTable(body.table)) return refuse(400, 'Table not found.')
    const { table, name, shared } = body
    const refusal = await refusedBy(session, sharedViews[table].read)
    if (refusal !== null) return refuseAccess(refusal)
    const fault = viewNameFault(name)
    if (fault !== null) return refuse(400, fault)
    const read = readViewState(viewTables[table], body.state)
    if (read === null || read.gone.length > 0) return refuse(400, stateFault(read?.gone))
    const id = crypto.randomUUID()
    const saved = await addView(await store(), session, {
      id,
      table_name: table,
      scope: shared ? SHARED : session.actor,
      owner: session.actor,
      owner_name: session.displayName,
      name: name.trim(),
      state: JSON.stringify(read.state),
      updated_at: new Date().toISOString(),
    })
    if (saved === 'taken') return refuse(409, NAME_TAKEN)
    if (saved === 'full') {
      const which = shared ? 'shared views' : 'views of your own'
      return refuse(409, `This table already has ${VIEWS_MAX} ${which}. Remove one first.`)
    }
    return json({ ok: true, id })
  })
