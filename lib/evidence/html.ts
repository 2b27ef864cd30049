import 'server-only'
import { cardStateWords } from '#lib/cards/card-state.ts'
import type { Line } from '#lib/commands/command.ts'
import { JsonNumber } from '#lib/contract/json.ts'
import { caseStateWords } from '#lib/disputes/case-state.ts'
import { terminalStateWords } from '#lib/terminals/terminal-state.ts'
import { transactionStateWords } from '#lib/transactions/transaction.ts'
import { isAmount, shownText } from '#lib/values/amount-text.ts'
import { type Html, htmlTag, type Part } from '#lib/values/html.ts'
import { visibleText } from '#lib/values/text.ts'
import { timeInText } from '#lib/values/time.ts'

/** Hidden characters show as on screens. */
export const html = htmlTag((text) => visibleText(text.toWellFormed()))

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/

export const timeOf = (value: string): Html =>
  UTC.test(value) ? html`<time datetime="${value}">${timeInText(value)}</time>` : html`${value}`

export const code = (value: Part): Html => html`<code>${value}</code>`

const moneyOf = (value: string): string => (isAmount(value) ? `${shownText(value)} BZD` : `${value} (not readable)`)

const wordsOf = {
  state: transactionStateWords,
  'card-state': cardStateWords,
  'terminal-state': terminalStateWords,
  'case-state': caseStateWords,
} as const

/** As pages of the console show it, with ids and states in full. */
export function shownValue(value: string, as: Line['as']): Html {
  switch (as) {
    case 'time':
      return timeOf(value)
    case 'money':
      return html`${moneyOf(value)}`
    case 'mono':
    case 'reference':
    case 'id':
      return code(value)
    case 'state':
    case 'card-state':
    case 'terminal-state':
    case 'case-state':
      return named(wordsOf[as](value).word, value)
    default:
      return html`${value}`
  }
}

export const named = (word: string, raw: string): Html => (word === raw ? code(raw) : html`${word} (${code(raw)})`)

export type Fact = readonly [label: Part, value: Part]

const LONG_CHARS = 600

/** Long ones may continue on the next sheet. */
export const splitting = (value: Html): Html | null => (value.text.length > LONG_CHARS ? html` class="long"` : null)

export const factList = (facts: readonly Fact[]): Html => html`<dl>${facts.map(factRow)}</dl>`

function factRow([label, value]: Fact): Html {
  const shown = html`${value}`
  return html`<div${splitting(shown)}><dt>${label}</dt><dd dir="auto">${shown}</dd></div>`
}

export const block = (text: string): Html => html`<pre>${text}</pre>`

/** Numbers of a `parseJson` keep their digits. */
export function indented(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? ''
  } catch {
    return 'nested too deep to be shown'
  }
}

export function rawValue(value: unknown): Html {
  if (typeof value === 'string') return html`${value}`
  const isNested = typeof value === 'object' && value !== null && !(value instanceof JsonNumber)
  return (isNested ? block : code)(indented(value))
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
