import type { Insertable } from 'kysely'
import { keepsHistory, RESERVE_ACCOUNT_ID } from '#sandbox/ledger/accounts.ts'
import { formatUnits, type Units } from '#sandbox/ledger/amount.ts'
import type { NewRow, Posting } from '#sandbox/ledger/append.ts'
import { newUuid, type Randomness } from '#sandbox/world/random.ts'
import type { Tables } from '#sandbox/world/tables.ts'

export type Written = NewRow & { readonly version: number }

interface Place {
  position: number
  balance: Units
}

/** Built in memory and written at once, hundreds of times faster than row by row. */
export class Book {
  readonly rows: Insertable<Tables['ledger_row']>[] = []
  readonly entries: Insertable<Tables['ledger_entry']>[] = []
  readonly history: Insertable<Tables['ledger_history']>[] = []
  readonly due: Insertable<Tables['ledger_due']>[] = []
  readonly #random: Randomness
  readonly #places = new Map<string, Place>()
  readonly #lengths = new Map<string, number>()

  constructor(random: Randomness) {
    this.#random = random
  }

  create(row: NewRow, postings: readonly Posting[] = []): Written {
    for (const accountId of new Set([row.from_account_id, row.to_account_id])) {
      if (!keepsHistory(accountId)) continue
      const position = (this.#lengths.get(accountId) ?? 0) + 1
      this.#lengths.set(accountId, position)
      this.history.push({ account_id: accountId, position, reference_id: row.reference_id })
    }
    return this.#append({ ...row, version: 1 }, postings)
  }

  move(
    current: Written,
    change: Partial<NewRow> & Pick<NewRow, 'state' | 'recorded_at'>,
    postings: readonly Posting[] = [],
  ): Written {
    return this.#append({ ...current, ...change, version: current.version + 1 }, postings)
  }

  #append(row: Written, postings: readonly Posting[]): Written {
    const rowId = newUuid(this.#random)
    this.rows.push({ ...row, row_id: rowId })
    for (const posting of postings) if (posting.units !== 0n) this.#enter(row, rowId, posting)
    return row
  }

  #enter(row: Written, rowId: string, { accountId, bucket, units }: Posting): void {
    const key = `${accountId} ${bucket}`
    const place = this.#places.get(key) ?? { position: 0, balance: 0n }
    place.position += 1
    place.balance += units
    this.#places.set(key, place)
    const mayGoBelowZero = accountId === RESERVE_ACCOUNT_ID
    if (place.balance < 0n && !mayGoBelowZero) {
      throw new Error(`${accountId} cannot pay "${row.note}" at ${row.recorded_at}: it lacks ${-place.balance} units`)
    }
    this.entries.push({
      account_id: accountId,
      bucket,
      position: place.position,
      row_id: rowId,
      amount: formatUnits(units),
      balance_after: formatUnits(place.balance),
      may_go_below_zero: mayGoBelowZero,
    })
  }
}
