import { Suspense, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { counted } from '#lib/values/words.ts'
import type { StatementReply } from '../statement-requests.ts'
import { NEXT_STEP } from './next-step.ts'

const FoundReferencesDialog = onDemand(
  () => import('./found-references-dialog.tsx').then((it) => it.FoundReferencesDialog),
  ({ onClose }) => onClose,
)

interface AcceptFoundProps {
  id: string
  found: number
  isMain: boolean
  onDone: (reply: StatementReply<unknown>) => void
}

export function AcceptFound({ id, found, isMain, onDone }: AcceptFoundProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button {...{ [NEXT_STEP]: 'accept' }} variant={isMain ? 'default' : 'outline'} onClick={() => setOpen(true)}>
        Accept {counted(found, 'found reference')}
      </Button>
      <Suspense>
        {isOpen ? (
          <FoundReferencesDialog
            id={id}
            onDone={(reply) => {
              setOpen(false)
              onDone(reply)
            }}
            onClose={() => setOpen(false)}
          />
        ) : null}
      </Suspense>
    </>
  )
}
