import type { Problem } from '#lib/contract/problem.ts'

/**
 * An export travels as one JSON text a line, so that a file that was cut short cannot be taken for a whole one: the browser
 * makes the file only when `end` has come. `problem` ends it as well, and then there is no file.
 */
export type ExportFrame =
  | {
      readonly kind: 'start'
      readonly fileName: string
      /** How the file begins: for a table the byte order mark and the line of headings. */
      readonly text: string
    }
  | {
      readonly kind: 'rows'
      /** Whole lines, to be appended. */
      readonly text: string
      /** Rows so far, these included. */
      readonly rows: number
      /** Rows there are, as far as is known now. */
      readonly total: number
      /** Rows that were read so far, where a filter leaves some of them out. */
      readonly read?: number
    }
  | {
      readonly kind: 'end'
      /** How the file ends. */
      readonly text: string
      readonly rows: number
      /** How many of them say only that the row could not be read. */
      readonly unreadable: number
      /** Whether there are more rows than one export takes. */
      readonly cut: boolean
    }
  | { readonly kind: 'problem'; readonly problem: Problem }
