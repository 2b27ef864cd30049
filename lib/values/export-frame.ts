import type { Problem } from '#lib/contract/problem.ts'

/**
 * One JSON text per line. The browser creates the file only after `end`, so a truncated export cannot look complete.
 */
export type ExportFrame =
  | {
      readonly kind: 'start'
      readonly fileName: string
      /** For tables, the byte order mark and the headings. */
      readonly text: string
    }
  | {
      readonly kind: 'rows'
      readonly text: string
      /** Cumulative. */
      readonly rows: number
      readonly total: number
      /** Rows read before filtering. */
      readonly read?: number
    }
  | {
      readonly kind: 'end'
      readonly text: string
      readonly rows: number
      /** Rows that say only that they could not be read. */
      readonly unreadable: number
      /** There are more rows than one export allows. */
      readonly cut: boolean
    }
  | { readonly kind: 'problem'; readonly problem: Problem }
