import { createContext, type RefObject, Suspense, use, useEffect, useEffectEvent, useRef, useState } from 'react'
import { onDemand } from '#components/ui/on-demand.tsx'
import { type SnippetValues, slashBefore } from '#lib/disputes/snippets/snippet.ts'
import { atBefore } from '#lib/disputes/workspace/mention.ts'
import type { Colleague } from '#lib/disputes/workspace/workspace.ts'

const loadLists = () => import('./snippet-list.tsx')
const SnippetList = onDemand(() => loadLists().then((it) => it.SnippetList))
const MentionList = onDemand(() => loadLists().then((it) => it.MentionList))

export const KnownOfCase = createContext<SnippetValues | null>(null)

type Box = RefObject<HTMLTextAreaElement | null>

/** A slash at the start of a word opens the list. */
export function Snippets({ box }: { box: Box }) {
  const values = use(KnownOfCase)
  const [opened, close] = useOpened(box, values !== null, ({ value, selectionStart }, typed) =>
    typed === '/' ? slashBefore(value, selectionStart) : null,
  )
  if (opened === null || values === null) return null
  return (
    <Suspense>
      <SnippetList key={opened.at} {...opened} values={values} onClose={close} />
    </Suspense>
  )
}

interface MentionsProps {
  box: Box
  people: readonly Colleague[]
  onChoose: (person: Colleague) => void
}

/** An at sign at the start of a word opens the list, and so do letters after it. */
export function Mentions({ box, people, onChoose }: MentionsProps) {
  const closedAt = useRef<number | null>(null)
  const [opened, close] = useOpened(box, people.length > 0, ({ value, selectionStart }, typed) => {
    const at = atBefore(value, selectionStart)
    if (at === closedAt.current && typed !== '@') return null
    closedAt.current = null
    return at
  })
  if (opened === null) return null
  const closeHere = () => {
    closedAt.current = opened.at
    close()
  }
  return (
    <Suspense>
      <MentionList key={opened.at} {...opened} people={people} onChoose={onChoose} onClose={closeHere} />
    </Suspense>
  )
}

interface Opened {
  readonly field: HTMLTextAreaElement
  readonly at: number
}

/** `signIn` returns the index of the sign that opens the list, if what was typed does. */
function useOpened(
  box: Box,
  offered: boolean,
  signIn: (field: HTMLTextAreaElement, typed: string | null) => number | null,
): readonly [Opened | null, () => void] {
  const [opened, setOpened] = useState<Opened | null>(null)
  const find = useEffectEvent(signIn)
  useEffect(() => {
    const field = box.current
    if (field === null || !offered) return
    const onInput = (event: Event) => {
      // Pasted text and inserted snippets do not open it.
      if (!(event instanceof InputEvent) || event.isComposing || event.data === null) return
      const at = find(field, event.data)
      if (at === null) return
      // If loading fails, the sign stays in the text.
      void loadLists().then(
        () => setOpened((before) => (before?.at === at ? before : { field, at })),
        () => {},
      )
    }
    field.addEventListener('input', onInput)
    return () => field.removeEventListener('input', onInput)
  }, [box, offered])
  return [opened, () => setOpened(null)]
}
