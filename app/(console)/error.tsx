'use client'

import { Fault, type FaultProps } from '../fault.tsx'

/** A page failed within its frame. */
export default function ConsoleError({ error }: FaultProps) {
  return <Fault error={error} />
}
