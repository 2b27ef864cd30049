/** Which changes a person looks at: their own, everybody's whose end is not known, and those whose effect showed late. */
export const changeLists = ['mine', 'open', 'late'] as const

export type ChangeList = (typeof changeLists)[number]
