import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { signOut } from '#components/frame/account-menu.tsx'
import { useDialogFocus } from '#components/frame/modal.tsx'
import { askConsole, problemIn, saveChoice } from '#components/service/ask-console.ts'
import { onSessionEnded, useAutomaticRefresh } from '#components/service/session-events.ts'
import { Command, CommandInput, CommandList } from '#components/ui/command.tsx'
import { Dialog, DialogContent, DialogTitle } from '#components/ui/dialog.tsx'
import { Kbd } from '#components/ui/kbd.tsx'
import type { RecentThing } from '#lib/look-up/thing.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { cleanReference, invisibleWords } from '#lib/values/text.ts'
import { type Choice, type ChoiceAction, type ChoiceGroup, ChoiceList, choiceGroups } from './choice-list.tsx'
import type { Act } from './requested-act.ts'
import { gapWords, nothingWords, progressWords, useLookUp } from './use-look-up.ts'

export interface OmniboxDialogProps {
  scopes: Promise<readonly string[] | null>
  onGo: (href: string, act?: Act) => void
  onKeys: () => void
  onClose: () => void
}

export function OmniboxDialog({ scopes, onGo, onKeys, onClose }: OmniboxDialogProps) {
  const focus = useDialogFocus((content) => content.querySelector('input'))
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const { things, thingsFault } = useThings()
  const looked = useLookUp(text)
  const groups = choiceGroups({
    text: cleanReference(text),
    looked: looked?.state ?? null,
    things,
    scopes: useScopes(scopes),
  })
  const selection = useSelection(groups, text)
  useClosedAtSessionEnd(onClose)
  const run = useDeeds({ onGo, onKeys, onClose, onFault: setFault })
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey)) return
    if (event.key.toLowerCase() === 'k') {
      // Ctrl K in some browsers focuses the address bar.
      event.preventDefault()
      return onClose()
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    const action = selection.choice?.blocked ? undefined : selection.choice?.action
    if (action?.does === 'go') window.open(action.href, '_blank', 'noopener')
  }
  const gaps = [fault, thingsFault].flatMap((gap) => gap ?? [])
  const ignored = invisibleWords(text)
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        aria-describedby={undefined}
        {...focus}
        {...selection.moves}
        className="w-[min(680px,calc(100vw-24px))] overflow-hidden rounded-xl"
      >
        <DialogTitle className="sr-only">Go to, or look up</DialogTitle>
        <Command
          label="Go to, or look up"
          shouldFilter={false}
          loop
          vimBindings={false}
          value={selection.choice?.value ?? ''}
          onValueChange={selection.onValueChange}
          onKeyDown={onKeyDown}
          className="min-h-0"
        >
          <div className="relative">
            <CommandInput
              value={text}
              onValueChange={setText}
              placeholder="Go to, or paste any reference or id"
              autoComplete="off"
              spellCheck={false}
              maxLength={4_000}
              className="mono min-h-11 text-sm sm:pr-36"
            />
            <p className="figures absolute top-1/2 right-4 -translate-y-1/2 bg-popover pl-2 text-muted-foreground text-xs max-sm:hidden">
              {looked === null ? null : progressWords(looked.state)}
            </p>
          </div>
          <CommandList label="Results" className="max-h-[min(26rem,60vh)] py-1">
            <ChoiceList groups={groups} onChoose={(choice) => run(choice.action)} />
          </CommandList>
          <Gaps
            gaps={[...gaps, ...(looked === null ? [] : gapWords(looked.state, looked.late))]}
            nothing={looked === null ? null : nothingWords(looked.state, groups.length > 0)}
            ignored={ignored === null ? null : `Ignored ${ignored}.`}
          />
          <Legend />
        </Command>
      </DialogContent>
    </Dialog>
  )
}

interface GapsProps {
  gaps: readonly string[]
  nothing: string | null
  ignored: string | null
}

const Gaps = ({ gaps, nothing, ignored }: GapsProps) => (
  <div role="status" className="border-t px-4 py-2 text-sm empty:hidden">
    {gaps.map((gap) => (
      <p key={gap} className="text-attention">
        {gap}
      </p>
    ))}
    {nothing === null ? null : <p className="text-secondary-foreground">{nothing}</p>}
    {ignored === null ? null : <p className="text-muted-foreground text-xs">{ignored}</p>}
  </div>
)

const Legend = () => (
  <footer className="flex flex-wrap gap-x-4 gap-y-1 border-t bg-muted px-4 py-2 text-muted-foreground text-xs [&_kbd]:opacity-100">
    <span className="flex items-center gap-1.5 max-sm:hidden pointer-coarse:hidden">
      <Kbd>↑</Kbd> <Kbd>↓</Kbd> move
    </span>
    <span className="flex items-center gap-1.5 max-sm:hidden pointer-coarse:hidden">
      <Kbd>↵</Kbd> open
    </span>
    <span className="flex items-center gap-1.5 max-sm:hidden pointer-coarse:hidden">
      <Kbd>Ctrl ↵</Kbd> in a new tab
    </span>
    <span className="ml-auto">Looked up exactly as typed.</span>
  </footer>
)

/** Null until known: nothing is dimmed too early. */
function useScopes(scopes: OmniboxDialogProps['scopes']): readonly string[] | null {
  const [known, setKnown] = useState<readonly string[] | null>(null)
  useEffect(() => {
    scopes.then(setKnown, () => setKnown(null))
  }, [scopes])
  return known
}

interface Things {
  readonly things: readonly RecentThing[]
  readonly thingsFault: string | null
}

function useThings(): Things {
  const [read, setRead] = useState<Things>({ things: [], thingsFault: null })
  useEffect(() => {
    const leaving = new AbortController()
    void askConsole('/api/session/recent-things', { signal: leaving.signal }).then((answer) => {
      if (leaving.signal.aborted) return
      if (answer?.status === 200) return setRead({ ...(answer.body as Pick<Things, 'things'>), thingsFault: null })
      const why = problemWords(problemIn(answer)).title
      setRead({ things: [], thingsFault: `Pinned and recent items could not be read: ${why}.` })
    })
    return () => leaving.abort()
  }, [])
  return read
}

/** Another operator on this page must not see the results. */
function useClosedAtSessionEnd(onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => onSessionEnded(() => close()), [])
}

const MOVES = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End'])

/** Selects the first choice of the current list until the operator moves the selection. */
function useSelection(groups: readonly ChoiceGroup[], text: string) {
  const [moved, setMoved] = useState<{ readonly text: string; readonly value: string } | null>(null)
  const choices = groups.flatMap((group) => group.choices)
  const at = moved?.text === text ? choices.find(({ value }) => value === moved.value) : undefined
  const choice: Choice | undefined = at ?? choices.find(({ blocked }) => blocked !== true)
  // The list also changes its value when the selected item disappears.
  const moving = useRef(false)
  const end = () => {
    moving.current = false
  }
  return {
    choice,
    moves: {
      onKeyDownCapture: ({ key }: KeyboardEvent) => {
        moving.current = MOVES.has(key)
      },
      onKeyDown: end,
      onPointerMoveCapture: () => {
        moving.current = true
      },
      onPointerMove: end,
    },
    onValueChange: (value: string) => {
      if (moving.current) setMoved({ text, value })
    },
  }
}

interface DeedOptions extends Omit<OmniboxDialogProps, 'scopes'> {
  readonly onFault: (fault: string | null) => void
}

function useDeeds({ onGo, onKeys, onClose, onFault }: DeedOptions): (action: ChoiceAction) => void {
  const refresh = useAutomaticRefresh()
  const choose = async (theme: Extract<ChoiceAction, { does: 'theme' }>['theme']) => {
    const { fault, canRefresh } = await saveChoice({ theme })
    onFault(fault)
    if (fault === null) onClose()
    if (canRefresh) refresh()
  }
  return (action) => {
    switch (action.does) {
      case 'go':
        return onGo(action.href)
      case 'assign-next':
        return onGo('/disputes', 'assign-next')
      case 'theme':
        return void choose(action.theme)
      case 'sign-out':
        return void signOut().then(onFault)
      case 'keys':
        return onKeys()
    }
  }
}
