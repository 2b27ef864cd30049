'use client'

import { createContext, useContext } from 'react'
import { Reference } from '#components/values/reference.tsx'
import type { Person } from '#lib/disputes/workspace/workspace.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { visibleText } from '#lib/values/visible-text.ts'

export const Colleagues = createContext<readonly Person[]>([])

/** By name, where the console knows it. */
export function Colleague({ userId, name }: { userId: string; name: string }) {
  const known = useContext(Colleagues).find(({ actor }) => sameAccount(actor, `sso:${userId}`))
  return known === undefined ? (
    <Reference value={userId} name={name} short mark className="text-muted-foreground" />
  ) : (
    <bdi className="min-w-0 truncate">{visibleText(known.name)}</bdi>
  )
}
