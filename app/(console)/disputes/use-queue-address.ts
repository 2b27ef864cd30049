'use client'

import { useSearchParams } from 'next/navigation'
import { useMemo } from 'react'
import { type TableAddress, useTableAddress } from '#components/table/use-table-address.ts'
import { ages, type CaseList, caseLists } from '#lib/disputes/queue/queue.ts'
import { own } from '#lib/values/own.ts'
import { userIdFault } from '#lib/values/user-id.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { queueColumns } from './queue-columns.tsx'

const claims = ['mine', 'unassigned', 'others']

/** What may be wanted by each filter; anything else is told and not applied. */
const wantable: Readonly<Record<string, (wanted: string) => boolean>> = {
  age: (wanted) => ages.some(({ id }) => id === wanted),
  claim: (wanted) => claims.includes(wanted),
  party: (wanted) => userIdFault(wanted) === null,
}

const isList = (status: string): boolean => caseLists.some((list) => list === status.toUpperCase())

/** The address of a whole list: page, size, order, and what is wanted by age, claim and party. */
export function useQueueAddress(list: CaseList): TableAddress {
  const addressable = useMemo(() => {
    const columns = queueColumns(list)
    return {
      sortable: columns.flatMap(({ id, compare }) => (compare === undefined ? [] : [id])),
      filterable: columns.flatMap(({ id, matches }) => (matches === undefined ? [] : [id])),
    }
  }, [list])
  const address = useTableAddress('at hand', addressable)
  const status = useSearchParams().get('status')
  return useMemo(() => {
    const wanted = Object.entries(address.state.filters)
    const known = wanted.filter(([name, value]) => own(wantable, name)?.(value) === true)
    const asked = status === null || isList(status) ? [] : [['status', status] as const]
    const faults = [...asked, ...wanted.filter(([name, value]) => own(wantable, name)?.(value) !== true)].map(
      ([name, value]) => `The address asks for the ${name} “${visibleText(value.slice(0, 40))}”, which is none.`,
    )
    const state = { ...address.state, filters: Object.fromEntries(known) }
    return { ...address, state, faults: [...address.faults, ...faults] }
  }, [address, status])
}
