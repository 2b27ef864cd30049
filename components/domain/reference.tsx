import { Copy } from 'lucide-react'
import Link from 'next/link'
import { classes } from '#components/ui/classes.ts'
import { Copyable } from '#components/ui/copyable.tsx'
import { visibleText } from '#lib/domain/visible-text.ts'

const TAIL_CHARS = 6
/** Up to this length nothing is hidden. */
const WHOLE_UP_TO_CHARS = 28

interface ReferenceProps {
  value: string
  /** What it names, for assistive technology: `Reference`, `Holder`, `Trace id`. */
  name: string
  /** Makes the text a link; a button beside it copies. */
  href?: string
  /** Shows all of it, over several lines if need be. */
  whole?: boolean
  className?: string
}

/** An id or a reference: shortened in the middle to what room there is, whole on hover, copied by a click. */
export function Reference({ value, name, href, whole = false, className }: ReferenceProps) {
  const shown = visibleText(value)
  const text = whole ? <span className="break-all text-left">{shown}</span> : <Shortened text={shown} />
  const look = classes('mono inline-flex min-w-0 max-w-full items-center', className)
  if (href === undefined) {
    return (
      <Copyable value={value} action={`copy ${name}`} className={look}>
        {text}
      </Copyable>
    )
  }
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-1">
      <Link
        href={href}
        prefetch={false}
        title={value}
        className={classes(look, 'text-accent underline-offset-4 hover:underline')}
      >
        {text}
      </Link>
      <Copyable value={value} action={`copy ${name}`} className="grid size-6 shrink-0 place-items-center text-ink-3">
        <Copy aria-hidden className="size-3.5" />
      </Copyable>
    </span>
  )
}

/** The whole text stays in the page, so that selecting it copies all of it; only the middle is hidden. */
function Shortened({ text }: { text: string }) {
  const characters = [...text]
  const long = characters.length > WHOLE_UP_TO_CHARS
  return (
    <span className="inline-flex min-w-0 max-w-full whitespace-pre">
      <span className={classes('min-w-[3ch] truncate', long && 'max-w-[22ch]')}>
        {characters.slice(0, -TAIL_CHARS).join('')}
      </span>
      <span>{characters.slice(-TAIL_CHARS).join('')}</span>
    </span>
  )
}
