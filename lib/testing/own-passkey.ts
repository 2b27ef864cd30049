import { findPasskey, findPasskeys } from '#lib/commands/policy/passkey-table.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { optionsFor, passkeyOf } from './passkey-world.ts'

/** Removing one's own passkey by another one, as often as wanted. */
export const ownPasskey = (session: Session) => ({
  'passkey.remove': {
    sends: null,
    async make() {
      const [removed, other] = await twoPasskeys(session)
      return {
        session,
        params: { id: removed.id, way: 'passkey' },
        sign: async (id: string) => other.sign(await optionsFor(session, id)),
      }
    },
    async took({ params }: { readonly params: object }) {
      const { id } = params as { id: string }
      return (await findPasskey(await store(), session.actor, id)) === undefined
    },
  },
})

/** A person has five at most: those before are gone. */
async function twoPasskeys(session: Session) {
  const db = await store()
  for (const { id } of await findPasskeys(db, session.actor)) {
    await db.deleteFrom('passkey').where('id', '=', id).execute()
  }
  return [await passkeyOf(session, 'Old laptop'), await passkeyOf(session)] as const
}
