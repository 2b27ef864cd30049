import { ArrowLeftRight, CreditCard, FileText, History, Nfc, Pin, Play, Scale, Store, Users } from 'lucide-react'
import { outcomeStyles } from '#components/command/outcome-style.ts'
import { areaIcons } from '#components/frame/area-icons.ts'
import type { AreaHref } from '#components/frame/areas.ts'
import { Badge } from '#components/ui/badge.tsx'
import { cn } from '#components/ui/cn.ts'
import { CommandGroup, CommandItem } from '#components/ui/command.tsx'
import type { Icon } from '#components/ui/icons.tsx'
import { Kbd } from '#components/ui/kbd.tsx'
import { type StateOwner, stateStyle } from '#components/values/state-style.ts'
import type { Found } from '#lib/look-up/thing.ts'
import { isAmount, shownText } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import type { Choice, ChoiceGroup } from './choices.ts'

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
  act: Play,
}

const iconOf = ({ icon, deed }: Choice): Icon =>
  icon === 'area' ? areaIcons[deed.does === 'go' ? (deed.href as AreaHref) : '/'] : icons[icon]

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
        <Kbd aria-hidden className="hidden group-data-[selected=true]/choice:block">
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
  const { word, meaning, icon: Icon } = style
  return (
    <Badge variant={meaning}>
      <Icon aria-hidden />
      {visibleText(word)}
    </Badge>
  )
}

const KeyCaps = ({ keys }: { keys: string }) => (
  <span aria-hidden className="hidden gap-1 sm:pointer-fine:flex">
    {keys.split(' ').map((key) => (
      <Kbd key={key}>{key}</Kbd>
    ))}
  </span>
)
