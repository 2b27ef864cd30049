import type { ReactNode } from 'react'
import { areaIcons, areas } from './areas.ts'
import { AssignedUnread } from './assigned-cases.tsx'
import { Brand } from './brand.tsx'
import { type HeldScopes, RailLink } from './rail-link.tsx'
import { OwnChangesCount, WaitingCount } from './waiting-watch.tsx'

/** Icons only below 1100 px; a sheet on phones. */
export const Rail = ({ links }: { links: ReactNode }) => (
  <>
    <nav
      aria-label="Areas"
      className="rail sticky top-0 hidden h-dvh flex-col gap-0.5 overflow-y-auto border-r bg-muted p-3 sm:flex print:hidden"
    >
      <div className="px-2 pt-0.5 pb-3.5">
        <Brand nameClass="rail-word" />
      </div>
      {links}
    </nav>
    <nav
      aria-label="Areas"
      id="areas"
      popover="auto"
      className="fixed inset-y-0 right-auto left-0 m-0 h-dvh w-64 flex-col gap-0.5 border-r bg-muted p-3 text-foreground shadow-[var(--lift)] backdrop:bg-overlay open:flex"
    >
      <div className="px-2 pt-0.5 pb-3.5">
        <Brand />
      </div>
      {links}
    </nav>
  </>
)

export function AreaLinks({ scopes, openCases }: { scopes: HeldScopes | Promise<HeldScopes>; openCases: ReactNode }) {
  const counted = {
    'own changes': <OwnChangesCount />,
    waiting: <WaitingCount />,
    'open cases': (
      <>
        <AssignedUnread />
        {openCases}
      </>
    ),
  }
  return areas.map(({ href, word, scope, counts }) => {
    const Icon = areaIcons[href]
    return (
      <RailLink
        key={href}
        href={href}
        word={word}
        count={counts === undefined ? null : counted[counts]}
        scope={scope}
        scopes={scopes}
      >
        <Icon aria-hidden strokeWidth={1.75} />
      </RailLink>
    )
  })
}
