const folded = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()

/** The service may normalize texts. */
export const alike = (one: string, other: string): boolean => folded(one) === folded(other)
