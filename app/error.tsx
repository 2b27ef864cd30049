'use client'

import { Brand } from '#components/ui/brand.tsx'
import { Fault, type FaultProps } from './fault.tsx'

/** A page failed together with its frame. */
export default function PageError({ error }: FaultProps) {
  return (
    <main className="mx-auto grid max-w-2xl gap-6 px-5 pt-[14vh]">
      <Brand />
      <Fault error={error} />
    </main>
  )
}
