import 'server-only'
import { z } from 'zod'
import type { Line } from '#lib/commands/command.ts'
import { faultsOf, recordCommand } from '#lib/commands/kind.ts'
import { deletePasskey, findPasskey } from '#lib/commands/policy/passkey-table.ts'
import { store } from '#lib/store/store.ts'

/** `way`: confirmed with another passkey, or approved by two administrators. */
const params = z.strictObject({ id: z.string().max(2_000), way: z.enum(['passkey', 'administrator']) })

type Params = z.output<typeof params>
type Facts = Readonly<Record<'name' | 'createdAt', string>>

const lines = ({ name, createdAt }: Facts): Line[] => [
  { label: 'Passkey', value: name === '' ? 'none' : name, as: 'text' },
  { label: 'Added', value: createdAt, as: 'time' },
]

const ADMINISTRATORS = 2

/** Needs another passkey or people, so that a stolen session cannot remove one. */
export const passkeyRemove = recordCommand<Params, Facts>({
  kind: 'passkey.remove',
  place: () => ({ href: '/security', words: 'Open Security' }),
  params,
  immediate: false,
  async readFacts(session, { id }, author = session.actor) {
    const passkey = await findPasskey(await store(), author, id)
    return { ok: true, value: { name: passkey?.name ?? '', createdAt: passkey?.created_at ?? '' }, serviceTime: null }
  },
  checkFacts: (_params, { name }) => faultsOf({ id: name === '' ? 'Passkey not found.' : null }),
  requires: ({ id, way }) =>
    way === 'passkey'
      ? { passkey: { except: id } }
      : { approval: { by: ADMINISTRATORS, scopes: [], passkey: false, administers: true } },
  target: ({ id }) => id,
  locks: ({ id }) => [{ key: `passkey:${id}`, permanent: false }],
  describeLockConflict: () => ({ field: 'id', what: 'It is already being removed' }),
  title: (_params, { name }) => `Remove the passkey “${name}”`,
  summary: (_params, facts) => lines(facts),
  factLines: lines,
  consequence: () => 'You can no longer use it. Earlier confirmations stay recorded.',
  async record(trx, { actor, params: { id } }) {
    await deletePasskey(trx, actor, id)
  },
  describeSuccess: (_params, facts) => ({ steps: [], lines: lines(facts) }),
})
