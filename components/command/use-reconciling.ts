import { useEffect, useEffectEvent } from 'react'
import { followTopic } from '#components/news/news.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { nextReadMs } from '#lib/commands/command.ts'

/** Returns when the console checks the service next (milliseconds since 1970); null without a scheduled check. */
export function useReconciling(command: CommandView | null, onReconciled: (found: CommandView) => void): number | null {
  const open = command !== null && nextReadMs(command) !== null ? command.id : null
  const looked = useEffectEvent((found: CommandView | null) => {
    if (command !== null) onReconciled(found ?? { ...command, nextReconcileAt: null })
  })
  useEffect(() => {
    if (open === null) return
    return followTopic<CommandView>(`command ${open}`, (told) => looked(told.ok ? told.value : null), { atOnce: true })
  }, [open])
  const next = command?.nextReconcileAt ?? null
  return open === null || next === null ? null : Date.parse(next)
}
