import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Refusal } from '#sandbox/http/problem.ts'
import { lockedCurrentRow } from '#sandbox/ledger/append.ts'
import type { LedgerRow } from '#sandbox/ledger/rows.ts'
import { block, fail, markDisputed, reverse, unblock } from '#sandbox/ledger/transitions.ts'
import { transactionBody } from '#sandbox/transactions/wire.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'
import { readControl } from './read-control.ts'

const asked = z.strictObject({
  referenceId: z.string(),
  move: z.enum(['block', 'unblock', 'fail', 'reverse', 'dispute']),
})

type Move = z.output<typeof asked>['move']

const from: Readonly<Record<Move, string>> = {
  block: 'PROCESSING',
  unblock: 'BLOCKED',
  fail: 'PROCESSING',
  reverse: 'PROCESSING',
  dispute: 'PROCESSING',
}

/** State changes for which the interface has no endpoint. */
export function serveLedgerControls(app: FastifyInstance, world: World): void {
  app.post('/sandbox/transactions', async (request) => {
    const { referenceId, move } = readControl(asked, request)
    return await world.db.transaction().execute(async (trx) => {
      const row = await lockedCurrentRow(trx, referenceId)
      if (row === undefined) throw new Refusal(404, 'sandbox::transaction::not_found', 'No such transaction.')
      if (row.state !== from[move]) {
        throw new Refusal(409, 'sandbox::transaction::state', `Only ${from[move]} can do that; this is ${row.state}.`)
      }
      return { transaction: transactionBody(await apply(world, trx, row, move)) }
    })
  })
}

function apply(world: World, trx: Trx, row: LedgerRow, move: Move): Promise<LedgerRow> {
  const at = world.clock.now()
  switch (move) {
    case 'block':
      return block(trx, world.random, row, at)
    case 'unblock':
      return unblock(trx, world.random, row, at)
    case 'fail':
      return fail(trx, world.random, row, 'The sandbox was told to let it fail.', at)
    case 'reverse':
      return reverse(trx, world.random, row, 'Reversed in its window.', at)
    case 'dispute':
      return markDisputed(trx, world.random, row, at)
  }
}
