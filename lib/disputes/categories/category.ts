import { entryNameFault, type NamedEntry } from '#lib/disputes/snippets/snippet.ts'

/** Why cases are decided as they are, in the words of the team. The service does not know them. */
export interface Category extends NamedEntry {
  /** Stays on the cases that have it, and is not offered. */
  readonly retired: boolean
}

export type CategoryChoice = Pick<Category, 'id' | 'name'>

export const CATEGORIES_MAX = 50

export const CATEGORY_LINE = 'Category'

export const categoryNameFault = (typed: string): string | null => entryNameFault('category', typed)

/** Cases decided in this console. `id` null: without a category. */
export interface CategoryUse {
  readonly id: string | null
  readonly refunded: number
  readonly released: number
}

export const USE_DAYS = 30
