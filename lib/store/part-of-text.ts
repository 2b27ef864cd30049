import 'server-only'

/** Shorter parts match nearly everything. */
export const PART_MIN_CHARS = 3

export const partPattern = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`
