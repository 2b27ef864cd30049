'use client'

import { useEffect, useRef, useState } from 'react'
import { visibleText } from '#lib/values/text.ts'
import { expectedDay, isDay, isDayOrRelative } from '#lib/values/time.ts'
import { TextField } from './text-field.tsx'

interface DateFieldProps {
  label: string
  name: string
  initial: string
  zone: string
  /** Also takes `today`, `yesterday` and `today-6`. */
  relative?: boolean
  /** In a range, the visible help of the first field reaches over both. */
  place?: 'first' | 'last'
  className?: string
}

const dayFault = (text: string, relative: boolean): string | null => {
  const day = text.trim()
  if (day === '' || (relative ? isDayOrRelative(day) : isDay(day))) return null
  return `“${visibleText(day).slice(0, 40)}” is not ${expectedDay(day)}. Write it as 2026-11-20.`
}

/** The form is not submitted with a text that is not a day. The server reports it before hydration. */
export function DateField({ initial, zone, relative = false, place, ...field }: DateFieldProps) {
  const box = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState(() => dayFault(initial, relative))
  const check = (text: string): string | null => {
    const found = dayFault(text, relative)
    box.current?.setCustomValidity(found ?? '')
    if (found === null) setFault(null)
    return found
  }
  useEffect(() => {
    const found = dayFault(initial, relative)
    box.current?.setCustomValidity(found ?? '')
    setFault(found)
  }, [initial, relative])
  const help = `2026-11-20${relative ? ' or today-6' : ''}, in ${zone}`
  return (
    <TextField
      {...field}
      box={box}
      initial={initial}
      fault={fault}
      help={place === undefined ? help : <span className={rangeHelp[place]}>{help}</span>}
      onText={check}
      onInvalid={(event) => {
        event.preventDefault()
        setFault(check(event.currentTarget.value))
        event.currentTarget.form?.querySelector<HTMLInputElement>(':invalid')?.focus()
      }}
    />
  )
}

const rangeHelp = {
  first: 'block w-[calc(200%+0.75rem)] truncate group-has-[[data-slot=field-error]]/days:w-full',
  last: 'sr-only',
} as const

export const DayRange = ({ from, to, ...days }: { from: string; to: string; zone: string; relative?: boolean }) => (
  <div className="group/days col-span-2 grid min-w-0 grid-cols-2 gap-x-3">
    <DateField label="From" name="from" initial={from} place="first" {...days} />
    <DateField label="To" name="to" initial={to} place="last" {...days} />
  </div>
)
