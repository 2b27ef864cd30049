import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'

/** What a thread is made of on the page, from top to bottom. */
export type ThreadItem =
  | { readonly kind: 'day'; readonly key: string; readonly day: string }
  | { readonly kind: 'new'; readonly key: string }
  | { readonly kind: 'message'; readonly key: string; readonly message: ThreadMessage }

/**
 * The messages with a line wherever a day begins, in the zone that `zone` names (the reader's own when it is undefined),
 * and one above the first that came since the page was opened.
 */
export function threadItems(
  messages: readonly ThreadMessage[],
  firstNew: string | null,
  zone: string | undefined,
): readonly ThreadItem[] {
  const format = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: zone })
  const items: ThreadItem[] = []
  let before = ''
  for (const message of messages) {
    const day = format.format(new Date(message.createdAt))
    if (day !== before) items.push({ kind: 'day', key: `day ${message.id}`, day })
    before = day
    if (message.id === firstNew) items.push({ kind: 'new', key: 'new' })
    items.push({ kind: 'message', key: message.id, message })
  }
  return items
}
