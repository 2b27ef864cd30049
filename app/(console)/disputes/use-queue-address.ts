import { useSearchParams } from 'next/navigation'
import { useMemo } from 'react'
import { type TableAddress, useTableAddress } from '#components/table/use-table-address.ts'
import type { CaseList } from '#lib/disputes/queue/queue.ts'
import { addressableOf, wantedIn } from './queue-address.ts'

/** The address of a list out of the index: page, size, order, and what is wanted by age, claim, party and text. */
export function useQueueAddress(list: CaseList): TableAddress {
  const addressable = useMemo(() => addressableOf(list), [list])
  const address = useTableAddress('of the service', addressable)
  const query = useSearchParams()
  return useMemo(() => ({ ...address, ...wantedIn(new URLSearchParams(query.toString()), address) }), [address, query])
}
