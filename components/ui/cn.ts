import { clsx } from 'clsx'

/** Of conflicting utilities, the style sheet's order decides. tailwind-merge would add 8 kB to every page. */
export const cn = clsx
