'use client'

import { useState } from 'react'
import { asJson, askConsole, notDoneWords, problemIn } from '#components/service/ask-console.ts'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { Button } from '#components/ui/button.tsx'
import { Pin, PinOff } from '#components/ui/icons.tsx'
import { type Thing, thingWords } from '#lib/look-up/thing.ts'

interface PinButtonProps {
  thing: Thing
  pinned: boolean
  label?: string
  small?: boolean
}

export function PinButton({ thing, pinned: initial, label = '', small = false }: PinButtonProps) {
  const refresh = useAutomaticRefresh()
  const [chosen, setChosen] = useState<{ readonly pinned: boolean; readonly from: boolean } | null>(null)
  const [saving, setSaving] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  // Shows the operator's choice until the server sends a new value.
  const pinned = chosen !== null && chosen.from === initial ? chosen.pinned : initial
  const toggle = async () => {
    setSaving(true)
    const { kind, id } = thing
    const answer = await askConsole('/api/session/recent-things', {
      method: 'POST',
      ...asJson({ kind, id, pinned: !pinned }),
    })
    setSaving(false)
    if (answer?.status === 200) {
      setFault(null)
      setChosen({ pinned: !pinned, from: initial })
      return refresh()
    }
    setFault(notDoneWords('it', pinned ? 'unpinned' : 'pinned', problemIn(answer)))
  }
  const Icon = pinned ? PinOff : Pin
  const word = pinned ? 'Unpin' : 'Pin'
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-2">
      {fault === null ? null : (
        <span role="alert" className="text-danger text-xs">
          {fault}
        </span>
      )}
      <Button
        variant={small ? 'ghost' : 'outline'}
        size={small ? 'icon' : 'default'}
        aria-label={`${word} ${thingWords({ ...thing, label })}`}
        title={small ? word : undefined}
        aria-disabled={saving}
        onClick={() => (saving ? undefined : void toggle())}
      >
        <Icon aria-hidden />
        {small ? null : word}
      </Button>
    </span>
  )
}
