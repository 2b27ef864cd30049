import { outcomeStyles } from '#components/command/command-row.tsx'
import type { Theme } from '#components/frame/account-menu.tsx'
import { type AreaHref, areaIcons, areas, goPlaces } from '#components/frame/areas.ts'
import { badgeOf } from '#components/ui/badge.tsx'
import { cn } from '#components/ui/cn.ts'
import { CommandGroup, CommandItem } from '#components/ui/command.tsx'
import {
  ArrowLeftRight,
  CircleUser,
  CreditCard,
  FileText,
  History,
  type Icon,
  Monitor,
  Nfc,
  Pin,
  Play,
  Scale,
  ShieldCheck,
  Store,
  Users,
} from '#components/ui/icons.tsx'
import { Kbd } from '#components/ui/kbd.tsx'
import { type StateOwner, stateStyle } from '#components/values/state-badge.tsx'
import type { Scope } from '#lib/contract/scopes.ts'
import { type Found, OF_SERVICE, placeOfThing, type RecentThing, type SourceName, wordOf } from '#lib/look-up/thing.ts'
import { isAmount, shownText } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/text.ts'
import type { LookUpState } from './use-look-up.ts'

interface ChoiceListProps {
  groups: readonly ChoiceGroup[]
  onChoose: (choice: Choice) => void
}

export const ChoiceList = ({ groups, onChoose }: ChoiceListProps) =>
  groups.map(({ title, choices }) => (
    <CommandGroup key={title} heading={title} className="px-2 [&_[cmdk-group-heading]]:font-[550]">
      {choices.map((choice) => (
        <CommandItem
          key={choice.value}
          value={choice.value}
          disabled={choice.blocked === true}
          onSelect={() => onChoose(choice)}
          className="group/choice min-h-9 gap-x-2.5 gap-y-1 max-sm:flex-wrap max-sm:py-1.5 data-[disabled=true]:opacity-100 [&_kbd]:opacity-100"
        >
          <ChoiceParts choice={choice} />
        </CommandItem>
      ))}
    </CommandGroup>
  ))

const icons: Readonly<Record<Found['kind'] | 'act', Icon>> = {
  transaction: ArrowLeftRight,
  user: Users,
  card: CreditCard,
  case: Scale,
  terminal: Nfc,
  merchant: Store,
  statement: FileText,
  line: FileText,
  change: History,
  approval: ShieldCheck,
  person: CircleUser,
  session: Monitor,
  act: Play,
}

const iconOf = ({ icon, action }: Choice): Icon =>
  icon === 'area' ? areaIcons[action.does === 'go' ? (action.href as AreaHref) : '/'] : icons[icon]

function ChoiceParts({ choice }: { choice: Choice }) {
  const { words, id, detail, found, keys, missing, pinned } = choice
  const Icon = iconOf(choice)
  const dimmed = missing != null
  return (
    <>
      <Icon aria-hidden strokeWidth={1.75} className={cn(dimmed && 'text-muted-foreground')} />
      <span className={cn('shrink-0', id === null && 'min-w-0 shrink truncate', dimmed && 'text-muted-foreground')}>
        {visibleText(words)}
      </span>
      {id === null ? null : <ShortId id={id} />}
      {found?.amount == null ? null : <span className="figures shrink-0">{amountWords(found.amount)}</span>}
      {detail === '' ? null : <bdi className="min-w-0 truncate text-secondary-foreground">{visibleText(detail)}</bdi>}
      <span className="ml-auto flex shrink-0 items-center gap-2 pl-1">
        {found === undefined ? null : <FoundBadge found={found} />}
        {dimmed ? <span className="text-muted-foreground text-xs max-sm:hidden">{missing}</span> : null}
        {pinned ? <Pin role="img" aria-label="pinned" className="text-muted-foreground" /> : null}
        {keys === undefined || dimmed ? null : <KeyCaps keys={keys} />}
        <Kbd aria-hidden className="hidden sm:pointer-fine:group-data-[selected=true]/choice:block">
          ↵
        </Kbd>
      </span>
    </>
  )
}

/** Screen readers get the whole id. */
function ShortId({ id }: { id: string }) {
  const shown = visibleText(id)
  const characters = [...shown]
  const short = characters.length > 24 ? `${characters.slice(0, 12).join('')}…${characters.slice(-8).join('')}` : shown
  return (
    <span className="mono shrink-0" title={shown}>
      <span aria-hidden={short !== shown}>{short}</span>
      {short === shown ? null : <span className="sr-only">{shown}</span>}
    </span>
  )
}

const amountWords = (amount: string): string =>
  isAmount(amount) ? `${shownText(amount)} BZD` : `${amount} (not readable)`

const stateOwners: Readonly<Partial<Record<Found['kind'], StateOwner>>> = {
  transaction: 'transaction',
  card: 'card',
  case: 'case',
  terminal: 'terminal',
}

function FoundBadge({ found: { kind, state, outcome } }: { found: Found }) {
  const owner = stateOwners[kind]
  const style =
    outcome === null ? state !== null && owner !== undefined && stateStyle(state, owner) : outcomeStyles[outcome]
  if (!style) return null
  return badgeOf(style.icon, style.meaning, visibleText(style.word))
}

const KeyCaps = ({ keys }: { keys: string }) => (
  <span aria-hidden className="hidden gap-1 sm:pointer-fine:flex">
    {keys.split(' ').map((key) => (
      <Kbd key={key}>{key}</Kbd>
    ))}
  </span>
)

export type ChoiceAction =
  | { readonly does: 'go'; readonly href: string }
  | { readonly does: 'assign-next' | 'sign-out' | 'keys' }
  | { readonly does: 'theme'; readonly theme: Theme }

export interface Choice {
  /** Unique in the list. */
  readonly value: string
  readonly icon: Found['kind'] | 'area' | 'act'
  readonly words: string
  readonly id: string | null
  readonly detail: string
  readonly action: ChoiceAction
  readonly found?: Found
  readonly pinned?: boolean
  /** For example `g d`. */
  readonly keys?: string
  readonly missing?: string | null
  /** True for acts. A page can be opened without the scope. */
  readonly blocked?: boolean
}

export interface ChoiceGroup {
  readonly title: string
  readonly choices: readonly Choice[]
}

const go = (href: string): ChoiceAction => ({ does: 'go', href })

/** Of the scopes, one is enough. */
const acts: readonly { readonly words: string; readonly action: ChoiceAction; readonly scopes: readonly Scope[] }[] = [
  { words: 'Confirm a deposit', action: go('/deposits'), scopes: ['core:transactions:confirm'] },
  { words: 'Import statement', action: go('/deposits/statements'), scopes: ['core:transactions:confirm'] },
  { words: 'End-of-day report', action: go('/deposits/report'), scopes: ['core:transactions:confirm'] },
  { words: 'Issue a card', action: go('/cards/issue'), scopes: ['core:cards:create'] },
  { words: 'Register a terminal', action: go('/terminals'), scopes: ['core:merchant_terminals:create'] },
  {
    words: 'Assign the next case to me',
    action: { does: 'assign-next' },
    scopes: ['core:disputes:message', 'core:disputes:resolve'],
  },
  { words: 'Show the policy', action: go('/security/policy'), scopes: [] },
  { words: 'Theme: System', action: { does: 'theme', theme: 'system' }, scopes: [] },
  { words: 'Theme: Light', action: { does: 'theme', theme: 'light' }, scopes: [] },
  { words: 'Theme: Dark', action: { does: 'theme', theme: 'dark' }, scopes: [] },
  { words: 'Show all keys', action: { does: 'keys' }, scopes: [] },
  { words: 'Sign out', action: { does: 'sign-out' }, scopes: [] },
]

const RECENT_SHOWN = 6

export interface OmniboxFacts {
  readonly text: string
  readonly looked: LookUpState | null
  readonly things: readonly RecentThing[]
  readonly scopes: readonly string[] | null
}

export function choiceGroups({ text, looked, things, scopes }: OmniboxFacts): readonly ChoiceGroup[] {
  const says = wordsOf(text)
  const found = [foundChoices(looked, false), foundChoices(looked, true)].map((all) => all.map(markedPinned(things)))
  const foundAt = new Set(found.flat().map(({ found: it }) => it?.href))
  const known = things
    .filter((thing) => says(`${wordOf(thing)} ${thing.id} ${thing.label}`) && !foundAt.has(placeOfThing(thing)))
    .map(thingChoice)
  const pinned = known.filter((choice) => choice.pinned)
  const recent = known.filter((choice) => !choice.pinned)
  const [pages, doable] = [pageChoices(scopes), actChoices(scopes)].map((all) => all.filter(({ words }) => says(words)))
  const groups = [
    { title: 'At the service', choices: found[0] ?? [] },
    { title: 'In this console', choices: found[1] ?? [] },
    { title: 'Pinned', choices: pinned },
    { title: 'Recent', choices: recent.slice(0, RECENT_SHOWN) },
    { title: 'Go to', choices: pages ?? [] },
    { title: 'Do', choices: doable ?? [] },
  ]
  return groups.filter(({ choices }) => choices.length > 0)
}

/** Every typed word must match. */
function wordsOf(text: string): (within: string) => boolean {
  const words = text.toLowerCase().split(/\s+/)
  return (within) => words.every((word) => within.toLowerCase().includes(word))
}

const foundChoices = (looked: LookUpState | null, ofConsole: boolean): readonly Choice[] =>
  (looked?.searched ?? [])
    .filter((source) => OF_SERVICE.has(source) !== ofConsole)
    .flatMap((source) => (looked?.found[source] ?? []).map((found, at) => foundChoice(source, found, at)))

const foundChoice = (source: SourceName, found: Found, at: number): Choice => ({
  value: `${source} ${at} ${found.href}`,
  icon: found.kind,
  words: found.words,
  id: found.id,
  detail: found.detail,
  action: go(found.href),
  found,
})

/** A found item is not listed again as pinned. */
function markedPinned(things: readonly RecentThing[]): (choice: Choice) => Choice {
  const pinned = new Set(things.filter((thing) => thing.pinned).map(placeOfThing))
  return (choice) => ({ ...choice, pinned: pinned.has(choice.found?.href ?? '') })
}

const thingChoice = (thing: RecentThing): Choice => ({
  value: `thing ${thing.kind} ${thing.id}`,
  icon: thing.kind,
  words: wordOf(thing),
  id: thing.kind === 'statement' ? null : thing.id,
  detail: thing.label,
  action: go(placeOfThing(thing)),
  pinned: thing.pinned,
})

const keysTo = (action: ChoiceAction): string | undefined => {
  const place = action.does === 'go' ? goPlaces.find(({ href }) => href === action.href) : undefined
  return place === undefined ? undefined : `g ${place.key}`
}

const lacks = (needed: readonly Scope[], scopes: readonly string[] | null): string | null =>
  scopes === null || needed.length === 0 || needed.some((scope) => scopes.includes(scope))
    ? null
    : `needs the scope ${needed.join(' or ')}`

const pageChoices = (scopes: readonly string[] | null): readonly Choice[] =>
  areas.map(({ href, word, key, scope }) => ({
    value: `page ${href}`,
    icon: 'area',
    words: word,
    id: null,
    detail: '',
    action: go(href),
    keys: `g ${key}`,
    missing: lacks(scope === null ? [] : [scope], scopes),
  }))

const actChoices = (scopes: readonly string[] | null): readonly Choice[] =>
  acts.map(({ words, action, scopes: needed }) => {
    const missing = lacks(needed, scopes)
    const keys = keysTo(action)
    return {
      value: `act ${words}`,
      icon: 'act',
      words,
      id: null,
      detail: '',
      action,
      ...(keys === undefined ? {} : { keys }),
      missing,
      blocked: missing !== null,
    }
  })
