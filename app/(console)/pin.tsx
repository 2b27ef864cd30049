import { Suspense } from 'react'
import { PinButton } from '#components/look-up/pin-button.tsx'
import { isPinned } from '#lib/look-up/recent-things.ts'
import type { Thing } from '#lib/look-up/thing.ts'
import type { Session } from '#lib/session/session.ts'

interface PinProps {
  session: Session
  thing: Thing
}

export const Pin = (props: PinProps) => (
  <Suspense fallback={null}>
    <PinAsItIs {...props} />
  </Suspense>
)

const PinAsItIs = async ({ session, thing }: PinProps) => (
  <PinButton thing={thing} pinned={await isPinned(session, thing)} />
)
