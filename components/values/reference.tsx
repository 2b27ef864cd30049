'use client'

import Link from 'next/link'
import { cn } from '#components/ui/cn.ts'
import { useTabIndex } from '#components/ui/kbd.tsx'
import { visibleText } from '#lib/values/text.ts'
import { Copyable, CopyIcon } from './copyable.tsx'
import { IdMark } from './id-mark.tsx'

const TAIL_CHARS = 6
const WHOLE_UP_TO_CHARS = 28
const WHOLE_IN_ROW_UP_TO_CHARS = 16

interface ReferenceProps {
  value: string
  /** For screen readers, for example `Trace id`. */
  name: string
  /** A button beside the link copies. */
  href?: string
  /** Reads the page ahead. */
  prefetch?: boolean
  whole?: boolean
  short?: boolean
  mark?: boolean
  className?: string
}

/** A click copies the whole value. */
export function Reference({
  value,
  name,
  href,
  prefetch = false,
  whole = false,
  short = false,
  mark,
  className,
}: ReferenceProps) {
  const tabIndex = useTabIndex()
  const shown = visibleText(value)
  const tail = whole ? undefined : tailOf(shown, short)
  const text = (
    <>
      {mark ? <IdMark id={value} /> : null}
      <span className={whole ? 'whitespace-normal break-all text-left' : shortened(tail, short)}>{shown}</span>
    </>
  )
  // Otherwise screen readers would read the ellipsis and the tail.
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
        prefetch={prefetch}
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

/** In a table. */
export const UserReference = ({ id }: { id: string }) => (
  <Reference short mark value={id} name="User id" href={`/users/${encodeURIComponent(id)}`} />
)

/** Shown after the ellipsis; undefined when the text fits. */
function tailOf(text: string, short: boolean): string | undefined {
  const characters = [...text]
  const long = characters.length > (short ? WHOLE_IN_ROW_UP_TO_CHARS : WHOLE_UP_TO_CHARS)
  return long ? characters.slice(-TAIL_CHARS).join('') : undefined
}

/** The element holds the whole text, so that selecting it copies everything. */
function shortened(tail: string | undefined, short: boolean): string {
  if (tail === undefined) return 'truncate'
  return short ? 'truncate min-w-[3ch] max-w-[9ch]' : 'truncate min-w-[3ch] max-w-[22ch]'
}
