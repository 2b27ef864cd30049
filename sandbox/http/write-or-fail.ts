import type { ErrorCode } from '#lib/contract/problem.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'
import { Refusal } from './problem.ts'

export interface WriteFailure {
  readonly code: ErrorCode
  readonly title: string
}

const failed = ({ code, title }: WriteFailure): Refusal => new Refusal(500, code, title)

/** Any error other than a Refusal becomes 500 with the interface's code. */
export async function writeOrFail<Result>(
  world: World,
  failure: WriteFailure,
  write: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  try {
    return await world.db.transaction().execute(write)
  } catch (error) {
    if (error instanceof Refusal) throw error
    process.stderr.write(`sandbox: ${failure.code}: ${error instanceof Error ? error.stack : String(error)}\n`)
    throw failed(failure)
  }
}
