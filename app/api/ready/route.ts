import { store } from '#lib/store/store.ts'
import { json } from '../answer.ts'

/** Whether the console can serve people: its store is open and migrated. */
export async function GET(): Promise<Response> {
  try {
    await store()
    return json({ status: 'ready' })
  } catch {
    return json({ status: 'starting' }, 503)
  }
}
