import type { Problem } from '#lib/contract/problem.ts'

/** The browser creates the file only after `end`, so a truncated export cannot look complete. */
export type ExportFrame =
  | {
      readonly kind: 'start'
      readonly fileName: string
      readonly text: string
    }
  | {
      readonly kind: 'rows'
      readonly text: string
      readonly rows: number
      readonly total: number
      /** Rows read before filtering. */
      readonly read?: number
    }
  | {
      readonly kind: 'end'
      readonly text: string
      readonly rows: number
      /** Placeholders for rows that could not be read. */
      readonly unreadable: number
      readonly cut: boolean
    }
  | { readonly kind: 'problem'; readonly problem: Problem }
