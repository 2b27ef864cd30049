const folded = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()

/** Whether two texts are one but for spaces, case and forms of characters: a service may have tidied up what it was sent. */
export const alike = (one: string, other: string): boolean => folded(one) === folded(other)
