import { clsx } from 'clsx'

/**
 * Joins class names and skips falsy ones. Do not pass conflicting utilities: the style sheet's order decides between
 * them.
 */
export const cn = clsx
