import { useState } from 'react'
import { Choice } from '#components/form/choice.tsx'
import { saveChoice } from '#components/service/ask-console.ts'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { Button } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/field.tsx'
import { useHydrated } from '#components/ui/hydrated.tsx'

type Chosen = 'on' | 'off'
type Permission = NotificationPermission | 'none'

/** `none`: the browser has no notifications for this site. */
const permissionNow = (): Permission =>
  'Notification' in window && typeof Notification.requestPermission === 'function' ? Notification.permission : 'none'

export function NotifyChoice({ chosen, approvals }: { chosen: boolean; approvals: boolean }) {
  const refresh = useAutomaticRefresh()
  const hydrated = useHydrated()
  const [fault, setFault] = useState<string | null>(null)
  const save = async (notify: boolean) => {
    const { fault: why, canRefresh } = await saveChoice({ notify })
    setFault(why)
    if (canRefresh) refresh()
  }
  const turnOn = async () => {
    const now = permissionNow()
    const permission = now === 'default' ? await Notification.requestPermission() : now
    if (permission === 'granted') return await save(true)
    setFault(permissionWords[permission])
  }
  // The choice follows the operator; the permission belongs to this browser.
  const permission = hydrated && chosen ? permissionNow() : 'granted'
  return (
    <>
      <Choice<Chosen>
        legend={`Notifications of messages in my cases${approvals ? ' and of approvals' : ''}`}
        name="notify"
        value={chosen ? 'on' : 'off'}
        options={[
          ['off', 'Off'],
          ['on', 'On'],
        ]}
        onChoose={(value) => void (value === 'on' ? turnOn() : save(false))}
      />
      {permission === 'granted' || fault !== null ? null : (
        <p className="mb-3 text-attention text-sm">{permissionWords[permission]}</p>
      )}
      {permission === 'default' ? (
        <Button variant="outline" className="mb-3 w-full" onClick={() => void turnOn()}>
          Ask for permission
        </Button>
      ) : null}
      <FormError fault={fault} className="mb-3" />
    </>
  )
}

export const permissionWords: Readonly<Record<Exclude<Permission, 'granted'>, string>> = {
  default: 'This browser has not given permission yet. Nothing is shown without it.',
  denied: 'This browser blocks notifications from this console. Allow them in the site settings.',
  none: 'This browser does not support notifications here.',
}
