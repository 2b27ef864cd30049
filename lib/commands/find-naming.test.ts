import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { findNaming } from './search.ts'

const CARD = '3f2b8c1e-5d04-4b7a-9e61-0c8d2f7a4e15'
const [TRACE, PERSON, LATER] = ['00-5d04-9e61-00', 'sso:1', 2_500]

beforeEach(async () => {
  await freshConsole()
  await sql`
    INSERT INTO command (id, kind, state, actor, actor_name, params, facts, target, created_at, sent_at, boot_id, trace_id)
    SELECT 'c' || n, 'card.block', 'done', ${PERSON}, 'x', '{}', '{}', CASE n WHEN 0 THEN ${CARD} ELSE 'T' || n END, at,
      at, 'x', CASE n WHEN 0 THEN ${TRACE} END
    FROM generate_series(0, ${sql.lit(LATER)}) AS n,
      to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"') AS at`.execute(
    await store(),
  )
})

const found = async (part: string, actor: string, kinds: readonly string[]) =>
  (await findNaming(await store(), { part, lock: `bank:${part}`, actor, userId: '9', kinds }, 5)).map(({ id }) => id)

test.each([
  ['trace id', TRACE],
  ['id', CARD],
  ['id in capitals', CARD.toUpperCase()],
])('finds a change of any age by its %s', async (_name, part) => {
  expect(await found(part, PERSON, [])).toEqual(['c0'])
  expect(await found(part, 'sso:2', ['card.block'])).toEqual(['c0'])
  expect(await found(part, 'sso:2', ['card.issue'])).toEqual([])
})
