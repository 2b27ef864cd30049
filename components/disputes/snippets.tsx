import { createContext, type RefObject, Suspense, use, useEffect, useState } from 'react'
import { onDemand } from '#components/ui/on-demand.tsx'
import { slashBefore } from '#lib/disputes/snippets/slash.ts'
import type { SnippetValues } from '#lib/disputes/snippets/snippet.ts'

const loadList = () => import('./snippet-list.tsx').then((it) => it.SnippetList)
const SnippetList = onDemand(loadList)

/** What is known of the case for the fields of snippets; null where there are none. */
export const KnownOfCase = createContext<SnippetValues | null>(null)

/** For a field: a slash that is typed at the beginning of a word in it opens the list of snippets. */
export function Snippets({ box }: { box: RefObject<HTMLTextAreaElement | null> }) {
  const values = use(KnownOfCase)
  const [opened, setOpened] = useState<{ field: HTMLTextAreaElement; at: number } | null>(null)
  const offered = values !== null
  useEffect(() => {
    const field = box.current
    if (field === null || !offered) return
    const onInput = (event: Event) => {
      // What is pasted, or put in by the list itself, opens nothing.
      if (!(event instanceof InputEvent) || event.isComposing || event.data !== '/') return
      const at = slashBefore(field.value, field.selectionStart)
      if (at === null) return
      // Where its script does not come, the slash stays as it is typed.
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
