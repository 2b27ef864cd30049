import { useRouter } from 'next/navigation'
import { type FormEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { fieldText, IgnoredNote } from '#components/form/text-field.tsx'
import { AddressLink, type TableAddress } from '#components/table/table-address.tsx'
import { cn } from '#components/ui/cn.ts'
import { useHydrated } from '#components/ui/hydrated.tsx'
import { X } from '#components/ui/icons.tsx'
import { CARD_NUMBER_REFUSED, isCardNumber } from '#lib/cards/card-search.ts'
import { shortId } from '#lib/values/ids.ts'
import { cleanReference, invisibleWords, visibleText } from '#lib/values/text.ts'
import { readTypedAmount } from '#lib/values/typed-amount.ts'
import { formatCount } from '#lib/values/words.ts'
import { TEXT_CHARS } from './queue-address.ts'

const FILTER_AFTER_MS = 300

interface FilterFieldProps {
  address: TableAddress
  filter: 'party' | 'text' | 'amountFrom' | 'amountTo'
  label: string
  placeholder: string
  /** Label of the link that removes the filter. */
  clear: string
  faultOf: FilterFault
}

type FilterFault = (typed: string) => string | null

function readFilter(filter: FilterFieldProps['filter'], text: string, faultOf: FilterFault) {
  const typed = filter === 'party' ? cleanReference(text) : text.trim()
  const fault = typed === '' ? null : faultOf(typed)
  const amount = isAmount(filter) ? readTypedAmount(typed) : null
  const plain = amount?.ok ? amount.text : typed
  return { fault, value: fault === null ? plain : null }
}

const isAmount = (filter: string) => filter === 'amountFrom' || filter === 'amountTo'

export const reasonFault = (typed: string): string | null => (isCardNumber(typed) ? CARD_NUMBER_REFUSED : null)

export function amountFault(typed: string): string | null {
  const read = readTypedAmount(typed)
  if (read.ok) return null
  return read.fault === 'comma' ? 'Use a point for cents: 1250.00 or 1,250.00.' : 'Enter an amount in BZD: 1250.00.'
}

export function FilterField({ address, filter, label, placeholder, clear, faultOf }: FilterFieldProps) {
  const hydrated = useHydrated()
  const id = useId()
  const { [filter]: wanted = '', ...others } = address.state.filters
  const [fault, setFault] = useState<string | null>(null)
  const [ignored, setIgnored] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const router = useRouter()
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** Not in the address yet. */
  const due = useRef<string | null>(null)
  const follow = (typed: string | null) => {
    clearTimeout(typing.current)
    due.current = typed === wanted ? null : typed
    // After another filter was chosen, the text is added to that one.
    if (due.current === null || address.pending) return
    const href = address.hrefFor({ filters: due.current === '' ? others : { ...others, [filter]: due.current } })
    typing.current = setTimeout(() => router.replace(href, { scroll: false }), FILTER_AFTER_MS)
  }
  const followDue = useEffectEvent(() => follow(due.current))
  const filters = JSON.stringify(address.state.filters)
  // biome-ignore lint/correctness/useExhaustiveDependencies: followed whenever the address changes.
  useEffect(() => followDue(), [filters, address.pending])
  useEffect(() => () => clearTimeout(typing.current), [])
  const fill = (text: string) => {
    if (input.current !== null) input.current.value = text
    setFault(null)
    setIgnored(null)
  }
  const fillFromAddress = useEffectEvent((text: string) => {
    // What is being typed stays.
    if (input.current !== document.activeElement) fill(text)
  })
  useEffect(() => fillFromAddress(wanted), [wanted])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    follow(null)
    const { fault, value } = readFilter(filter, fieldText(event.currentTarget, filter), faultOf)
    setFault(fault)
    if (value !== null) address.go({ filters: value === '' ? others : { ...others, [filter]: value } })
  }
  return (
    <form onSubmit={submit} className={cn('flex-1', isAmount(filter) ? 'min-w-32 max-w-48' : 'min-w-56 max-w-md')}>
      <div className="flex min-h-8 items-center gap-1 rounded-md border border-input bg-card px-2.5 focus-within:border-primary">
        <label htmlFor={id} className="shrink-0 text-muted-foreground text-xs">
          {label}
        </label>
        <input
          ref={input}
          id={id}
          name={filter}
          defaultValue={wanted}
          onInput={({ currentTarget: { value } }) => {
            setIgnored(filter === 'party' ? invisibleWords(value) : null)
            const typed = readFilter(filter, value, faultOf)
            // An id or an amount is not complete while it is typed.
            if (filter === 'text' || typed.fault === null) setFault(typed.fault)
            follow(typed.value)
          }}
          disabled={!hydrated}
          placeholder={placeholder}
          maxLength={filter === 'text' ? TEXT_CHARS : undefined}
          aria-describedby={`${id}-fault`}
          aria-invalid={fault !== null}
          autoComplete="off"
          spellCheck={false}
          className={cn(
            'min-w-0 flex-1 bg-transparent px-1 outline-none placeholder:text-muted-foreground',
            filter === 'party' && 'mono',
          )}
        />
        {wanted === '' ? null : (
          <AddressLink
            address={address}
            change={{ filters: others }}
            aria-label={clear}
            onClick={() => {
              follow(null)
              fill('')
              input.current?.focus()
            }}
            className="grid size-6 place-items-center rounded text-muted-foreground hover:text-foreground"
          >
            <X aria-hidden className="size-3.5" />
          </AddressLink>
        )}
      </div>
      <p id={`${id}-fault`} role="status" className="text-danger text-xs">
        {fault}
      </p>
      {ignored === null ? null : <IgnoredNote what={ignored} />}
    </form>
  )
}

interface FilterSelectProps {
  address: TableAddress
  filter: 'assignee' | 'category'
  label: string
  any: string
  /** Another filter about the same thing. */
  replaces?: string
  options: readonly { readonly value: string; readonly name: string; readonly count: number; readonly note: string }[]
}

export function FilterSelect({ address, filter, label, any, replaces = '', options }: FilterSelectProps) {
  const hydrated = useHydrated()
  const id = useId()
  const { [filter]: chosen = '', [replaces]: _replaced, ...others } = address.state.filters
  const isListed = chosen === '' || options.some(({ value }) => value === chosen)
  return (
    <div className="flex min-h-8 min-w-56 max-w-md flex-1 items-center gap-1 rounded-md border border-input bg-card px-2.5 focus-within:border-primary">
      <label htmlFor={id} className="shrink-0 text-muted-foreground text-xs">
        {label}
      </label>
      <select
        id={id}
        value={chosen}
        disabled={!hydrated}
        onChange={({ currentTarget: { value } }) =>
          address.go({ filters: value === '' ? others : { ...others, [filter]: value } })
        }
        className="min-w-0 flex-1 bg-card px-1 outline-none"
      >
        <option value="">{any}</option>
        {isListed ? null : <option value={chosen}>{chosen} (no cases)</option>}
        {options.map(({ value, name, count, note }) => (
          <option key={value} value={value}>
            {visibleText(name)}
            {options.some((other) => other.value !== value && other.name === name) ? ` ${shortId(value)}` : null} (
            {formatCount(count)}){note}
          </option>
        ))}
      </select>
    </div>
  )
}
