import { Brand } from '#components/ui/brand.tsx'
import { areas } from './areas.ts'
import { OpenCasesCount } from './open-cases-count.tsx'
import { RailLink } from './rail-link.tsx'

interface RailProps {
  /** Null when the scopes are not known: then no area is dimmed. */
  scopes: readonly string[] | null
  /** How many dispute cases are open; null where that is not known. */
  openCases: number | null
}

/** The areas: a column of words, of icons below 1100 px, and a sheet behind a button on a phone. */
export function Rail(props: RailProps) {
  return (
    <>
      <nav aria-label="Areas" className="rail hidden flex-col gap-0.5 border-line border-r bg-sunken p-3 sm:flex">
        <div className="px-2 pt-0.5 pb-3.5">
          <Brand nameClass="rail-word" />
        </div>
        <AreaLinks {...props} />
      </nav>
      <nav
        aria-label="Areas"
        id="areas"
        popover="auto"
        className="fixed inset-y-0 right-auto left-0 m-0 h-dvh w-64 flex-col gap-0.5 border-line border-r bg-sunken p-3 text-ink shadow-[var(--lift)] backdrop:bg-[oklch(0.1_0.02_258/0.45)] open:flex"
      >
        <div className="px-2 pt-0.5 pb-3.5">
          <Brand />
        </div>
        <AreaLinks {...props} />
      </nav>
    </>
  )
}

function AreaLinks({ scopes, openCases }: RailProps) {
  return areas.map(({ href, word, icon: Icon, scope, counts }) => (
    <RailLink
      key={href}
      href={href}
      word={word}
      count={counts === undefined ? null : <OpenCasesCount initial={openCases} />}
      missing={scope === null || scopes === null || scopes.includes(scope) ? null : scope}
    >
      <Icon aria-hidden strokeWidth={1.75} />
    </RailLink>
  ))
}
