'use client'

import Link from 'next/link'
import { cn } from '#components/ui/cn.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { Copyable, CopyIcon } from './copyable.tsx'
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
export function Reference({ value, name, href, whole = false, short = false, mark, className }: ReferenceProps) {
  const tabIndex = useTabIndex()
  const shown = visibleText(value)
  const tail = whole ? undefined : tailOf(shown, short)
  const text = (
    <>
      {mark ? <IdMark id={value} /> : null}
      <span className={whole ? 'whitespace-normal break-all text-left' : shortened(tail, short)}>{shown}</span>
    </>
  )
  // What stands in place of the middle would be told as well.
  const spoken = whole ? undefined : shown
  if (href === undefined) {
    return (
      <Copyable
        value={value}
        spoken={spoken}
        action={`copy ${name}`}
        className={cn('mono inline-flex items-center', className)}
      >
        <span data-tail={tail} className="reference">
          {text}
        </span>
      </Copyable>
    )
  }
  return (
    <span data-copy-area className="copy-area">
      <Link
        href={href}
        prefetch={false}
        tabIndex={tabIndex}
        title={shown}
        aria-label={spoken}
        data-tail={tail}
        className={cn('reference text-primary underline-offset-4 hover:underline', className)}
      >
        {text}
      </Link>
      <CopyIcon value={value} action={`copy ${name}`} />
    </span>
  )
}

/** The end of a long text, which is shown after the cut; undefined where all of it is. */
function tailOf(text: string, short: boolean): string | undefined {
  const characters = [...text]
  const long = characters.length > (short ? WHOLE_IN_ROW_UP_TO_CHARS : WHOLE_UP_TO_CHARS)
  return long ? characters.slice(-TAIL_CHARS).join('') : undefined
}

/** One text, whole, so that selecting it copies all of it; of a long one the middle is only not shown. */
function shortened(tail: string | undefined, short: boolean): string {
  if (tail === undefined) return 'truncate'
  return short ? 'truncate min-w-[3ch] max-w-[9ch]' : 'truncate min-w-[3ch] max-w-[22ch]'
}
