import { expect } from 'vitest'
import { writePreferences } from '#lib/session/preferences.ts'
import { addView } from '#lib/session/saved-view-table.ts'
import { store } from '#lib/store/store.ts'
import { serviceTest as test } from '#lib/testing/test-worlds.ts'
import { TableViews } from './table-views.tsx'

test('a default view hides nothing of a search by reference', async ({ operator: session }) => {
  const id = crypto.randomUUID()
  await addView(await store(), session, {
    ...{ id, table_name: 'changes', scope: session.actor, owner: session.actor, owner_name: 'Mia', name: 'Done' },
    state: JSON.stringify({ query: { outcome: 'done' }, hidden: [], density: 'normal' }),
    updated_at: new Date().toISOString(),
  })
  await writePreferences(session, { defaultView: { table: 'changes', view: id } })
  const opened = (address: string) => {
    const query = new URLSearchParams(address)
    return TableViews({ session, table: 'changes', path: '/activity', query, children: null }).props.content
  }
  await expect(opened('')).rejects.toMatchObject({ digest: expect.stringContaining('outcome=done') })
  await expect(opened('text=DEP-1')).resolves.toBeDefined()
})
