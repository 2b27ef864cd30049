import { z } from 'zod'
import { refusedBy } from '#lib/authorization/judge.ts'
import { sharedViews, type ViewedTable } from '#lib/authorization/table.ts'
import { viewNameFault } from '#lib/session/saved-view.ts'
import { changeView, findView, removeView, type SavedViewRow } from '#lib/session/saved-view-table.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { visibleText } from '#lib/values/text.ts'
import { isViewedTable, readViewState, viewTables } from '../../../saved-views/view-tables.ts'
import { NAME_TAKEN, rightsTo, stateFault } from '../../../saved-views/views-of-table.ts'
import { json, type Params, readBody, refuse, refuseAccess, serveSession } from '../../answer.ts'

type Found = { readonly row: SavedViewRow; readonly table: ViewedTable } | { readonly refused: Response }

const NOT_THERE = 'View not found, or not shared with you.'

const requestBody = z
  .strictObject({ name: z.string().max(1_000).optional(), state: z.unknown().optional() })
  .refine(({ name, state }) => name !== undefined || state !== undefined)

export const PUT = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveSession(request, async (session) => {
    const found = await viewFor(session, (await params).id, 'mayChange')
    if ('refused' in found) return found.refused
    const body = await readBody(request, requestBody)
    if (body === null) return refuse(400, 'Invalid request.')
    const { name, state } = body
    const fault = name === undefined ? null : viewNameFault(name)
    if (fault !== null) return refuse(400, fault)
    const read = state === undefined ? undefined : readViewState(viewTables[found.table], state)
    if (read === null || (read !== undefined && read.gone.length > 0)) return refuse(400, stateFault(read?.gone))
    const saved = await changeView(await store(), session, found.row, {
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(read === undefined ? {} : { state: JSON.stringify(read.state) }),
      updated_at: new Date().toISOString(),
    })
    if (saved === undefined) return refuse(404, NOT_THERE)
    return saved === 'taken' ? refuse(409, NAME_TAKEN) : json({ ok: true })
  })

/** Answers the same for a view that is not there: nginx repeats a DELETE whose answer was cut. */
export const DELETE = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveSession(request, async (session) => {
    const found = await viewFor(session, (await params).id, 'mayRemove')
    if ('row' in found) await removeView(await store(), session, found.row)
    return 'row' in found || found.refused.status === 404 ? json({ ok: true }) : found.refused
  })

/** A view that the operator may not see is answered as not found. */
async function viewFor(session: Session, id: string, right: 'mayChange' | 'mayRemove'): Promise<Found> {
  const row = await findView(await store(), id, session.actor)
  if (row === undefined || !isViewedTable(row.table_name)) return { refused: refuse(404, NOT_THERE) }
  const table = row.table_name
  const refusal = await refusedBy(session, sharedViews[table].read)
  if (refusal !== null) return { refused: refusal.known ? refuse(404, NOT_THERE) : refuseAccess(refusal) }
  if ((await rightsTo(session, table, row.owner))[right]) return { row, table }
  const who = `${visibleText(row.owner_name)}, who shared this view`
  return {
    refused: refuse(
      403,
      right === 'mayChange' ? `Only ${who}, can change it.` : `Only ${who}, or an administrator can remove it.`,
    ),
  }
}
