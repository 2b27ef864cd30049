import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { tamper } from '#lib/testing/approval-world.ts'
import { runs } from '#lib/testing/runs.ts'
import { MAPPING } from '#lib/testing/test-statement.ts'
import { serviceTest as test } from '#lib/testing/test-worlds.ts'
import { readPackedFile } from './file/read-file.ts'
import type { ColumnMapping } from './file/statement.ts'
import { importStatement } from './import.ts'
import { discardStatement, restoreStatement } from './statement-list.ts'

const STEPS = 7
const DATED = { ...MAPPING, bookedOn: 4 }

const PAID = 'RENT-1,10.00,B-1,,2026-07-06'
const BACK = 'RENT-1,-10.00,B-1,,2026-07-07'
/** What each file has besides a payment of its own. */
const files = [[PAID], [PAID, PAID], [BACK], [BACK, BACK], [PAID, BACK], ['', PAID], ['', BACK]].map((rows, n) => ({
  paid: rows.filter((row) => row === PAID).length,
  back: rows.filter((row) => row === BACK).length,
  bytes: Buffer.from(['Ref,Amount,Bank ref,Text,Day', `OWN-${n},5.00,,,2026-07-01`, ...rows].join('\n')),
}))

type File = (typeof files)[number]

/** The same numbers in every run, from 0 to below 1. */
function seeded(): () => number {
  let seed = 1
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }
}

async function give(operator: Session, { bytes }: File, mapping: ColumnMapping, replaces: string | null) {
  const file = { name: 'July.csv', bytes, mapping, reason: '', replaces }
  const read = await importStatement(operator, { ...file, seal: null }, readPackedFile)
  const seal = read.kind === 'preview' ? read.preview.seal : null
  const done = await importStatement(operator, { ...file, seal }, readPackedFile)
  if (done.kind !== 'imported') throw new Error(done.kind)
  return done.id
}

const countOpen = async () => {
  const lines = (await store()).selectFrom('statement_line').innerJoin('statement', 'id', 'statement_id').select('id')
  const open = lines.where('discarded_at', 'is', null).where('reference', '=', 'RENT-1')
  return (await open.where('set_aside_reason', 'is', null).execute()).length
}

const countExpected = (files: readonly File[]) => {
  const most = (of: 'paid' | 'back') => Math.max(0, ...files.map((file) => file[of]))
  return Math.max(0, most('paid') - most('back'))
}

test('open lines are payments without returns, after any acts', async ({ operator }) => {
  const random = seeded()
  const pick = <One>(list: readonly One[]) => list[Math.floor(random() * list.length)] as One
  for (let run = 0; run < runs(150, 6); run += 1) {
    await (await store()).deleteFrom('statement').execute()
    // The rate limit counts the last ten minutes.
    await tamper(sql`UPDATE command SET created_at = '2026-01-01T00:00:00.000Z'`)
    const [live, gone, done] = [new Map<File, string>(), new Map<File, string>(), [] as string[]]
    for (let step = 0; step < STEPS; step += 1) {
      const file = pick(files)
      const [id, discarded] = [live.get(file), gone.get(file)]
      const acts = id === undefined ? ['import', ...(discarded ? ['restore'] : [])] : ['discard', 'map again']
      const act = pick(acts)
      done.push(`${act} ${files.indexOf(file)}`)
      if (act === 'import') live.set(file, await give(operator, file, DATED, null))
      else if (act === 'map again') live.set(file, await give(operator, file, { ...DATED, text: null }, id ?? null))
      else if (act === 'discard') {
        expect(await discardStatement(operator, id ?? '')).toBeNull()
        gone.set(file, id ?? '')
        live.delete(file)
      } else {
        expect(await restoreStatement(operator, discarded ?? '')).toEqual([])
        live.set(file, discarded ?? '')
      }
      if (act !== 'discard') gone.delete(file)
      expect([done, await countOpen()]).toEqual([done, countExpected([...live.keys()])])
    }
  }
})
