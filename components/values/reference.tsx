'use client'

import { Copy } from 'lucide-react'
import Link from 'next/link'
import { cn } from '#components/ui/cn.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { Copyable } from './copyable.tsx'
import { IdMark } from './id-mark.tsx'
import { useTabIndex } from './tab-stop.ts'

const TAIL_CHARS = 6
/** Up to this length nothing is hidden. */
const WHOLE_UP_TO_CHARS = 28
const WHOLE_IN_ROW_UP_TO_CHARS = 16

interface ReferenceProps {
  value: string
  /** What it names, for assistive technology: `Reference`, `Holder`, `Trace id`. */
  name: string
  /** Makes the text a link; a button beside it copies. */
  href?: string
  /** Shows all of it, over several lines if need be. */
  whole?: boolean
  /** Takes little room: for the rows of a table. */
  short?: boolean
  /** It is the id of a person, a merchant or a case: its mark stands before it. */
  mark?: boolean
  className?: string
}

/** An id or a reference: shortened in the middle to what room there is, whole on hover, copied by a click. */
export function Reference({ value, name, href, whole, short = false, mark, className }: ReferenceProps) {
  const tabIndex = useTabIndex()
  const shown = visibleText(value)
  const text = (
    <>
      {mark ? <IdMark id={value} /> : null}
      {whole ? <span className="break-all text-left">{shown}</span> : <Shortened text={shown} short={short} />}
    </>
  )
  const look = cn('mono inline-flex min-w-0 max-w-full items-center gap-1.5', className)
  // What stands in place of the middle would be told as well.
  const spoken = whole ? undefined : shown
  if (href === undefined) {
    return (
      <Copyable value={value} spoken={spoken} action={`copy ${name}`} className={look}>
        {text}
      </Copyable>
    )
  }
  return (
    <span data-copy-area className="relative inline-flex min-w-0 max-w-full items-center gap-1">
      <Link
        href={href}
        prefetch={false}
        tabIndex={tabIndex}
        title={value}
        aria-label={spoken}
        className={cn(look, 'text-primary underline-offset-4 hover:underline')}
      >
        {text}
      </Link>
      <Copyable
        value={value}
        action={`copy ${name}`}
        className={cn(
          'grid size-6 shrink-0 place-items-center text-muted-foreground',
          // In a table it stands between the columns, and shows in the row that is pointed at or has the focus.
          'in-[td]:absolute in-[td]:top-1/2 in-[td]:left-full in-[td]:-ml-0.5 in-[td]:-translate-y-1/2 in-[tr:not(:hover,:focus-within)]:pointer-fine:opacity-0',
        )}
      >
        <Copy aria-hidden className="size-3.5" />
      </Copyable>
    </span>
  )
}

/** One text, whole, so that selecting it copies all of it; of a long one the middle is only not shown. */
function Shortened({ text, short }: { text: string; short: boolean }) {
  const characters = [...text]
  const long = characters.length > (short ? WHOLE_IN_ROW_UP_TO_CHARS : WHOLE_UP_TO_CHARS)
  return (
    <span
      data-tail={long ? characters.slice(-TAIL_CHARS).join('') : undefined}
      className={cn('inline-flex min-w-0 max-w-full whitespace-pre', long && 'after:content-[attr(data-tail)]')}
    >
      <span className={cn('truncate', long && 'min-w-[3ch]', long && (short ? 'max-w-[9ch]' : 'max-w-[22ch]'))}>
        {text}
      </span>
    </span>
  )
}
