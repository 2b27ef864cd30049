'use client'

import { Fault, type FaultProps } from '../fault.tsx'

export default function ConsoleError({ error }: FaultProps) {
  return <Fault error={error} />
}
