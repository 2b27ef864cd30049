import { CircleAlert } from 'lucide-react'
import { visibleText } from '#lib/domain/visible-text.ts'
import type { FileFault } from './intake-requests.ts'

/** What is wrong with a file, by its lines. */
export function FileFaults({ fileName, faults }: { fileName: string; faults: readonly FileFault[] }) {
  return (
    <div role="alert" className="flex gap-3 border-line border-t bg-attention-wash px-3.5 py-3">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-attention" />
      <div className="min-w-0">
        <p className="break-words font-semibold">Nothing of {visibleText(fileName)} was taken</p>
        <ul className="mt-1 grid gap-0.5 text-sm">
          {faults.map(({ place, what }) => (
            <li key={`${place} ${what}`} className="break-words">
              {place === null ? '' : <span className="figures font-[550]">Line {place.toLocaleString('en-US')}: </span>}
              {visibleText(what)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
