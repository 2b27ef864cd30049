import { createContext, type RefObject, Suspense, use, useEffect, useState } from 'react'
import { onDemand } from '#components/ui/on-demand.tsx'
import type { SnippetValues } from '#lib/disputes/snippets/snippet.ts'
import { slashBefore } from '#lib/disputes/snippets/snippet.ts'

const loadList = () => import('./snippet-list.tsx').then((it) => it.SnippetList)
const SnippetList = onDemand(loadList)

/** Null where snippets are not available. */
export const KnownOfCase = createContext<SnippetValues | null>(null)

/** A slash at the start of a word opens the list. */
export function Snippets({ box }: { box: RefObject<HTMLTextAreaElement | null> }) {
  const values = use(KnownOfCase)
  const [opened, setOpened] = useState<{ field: HTMLTextAreaElement; at: number } | null>(null)
  const offered = values !== null
  useEffect(() => {
    const field = box.current
    if (field === null || !offered) return
    const onInput = (event: Event) => {
      // Pasted text and inserted snippets do not open it.
      if (!(event instanceof InputEvent) || event.isComposing || event.data !== '/') return
      const at = slashBefore(field.value, field.selectionStart)
      if (at === null) return
      // If loading fails, the slash stays in the text.
      void loadList().then(
        () => setOpened({ field, at }),
        () => {},
      )
    }
    field.addEventListener('input', onInput)
    return () => field.removeEventListener('input', onInput)
  }, [box, offered])
  if (opened === null || values === null) return null
  return (
    <Suspense>
      <SnippetList key={opened.at} {...opened} values={values} onClose={() => setOpened(null)} />
    </Suspense>
  )
}
