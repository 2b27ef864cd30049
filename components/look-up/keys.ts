import { areas } from '#components/frame/areas.ts'

export interface KeyLine {
  /** Pressed in order, except `Ctrl`, which is held. */
  readonly keys: readonly string[]
  readonly words: string
}

/** The first key of a shortcut to a page. */
export const GO_KEY = 'g'

export const goPlaces: readonly { readonly key: string; readonly href: string; readonly words: string }[] = [
  ...areas.map(({ key, href, word }) => ({ key, href, words: word })),
  { key: 'i', href: '/deposits/statements', words: 'Statements' },
]

export const frameKeys = {
  open: { keys: ['/'], words: 'Go to a page, or look something up; also Ctrl K or ⌘ K' },
  list: { keys: ['?'], words: 'This list' },
} as const satisfies Record<string, KeyLine>
