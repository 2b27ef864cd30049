import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '#lib/contract/endpoint.ts'
import { invalidField } from './problem.ts'

export interface Page {
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

const PAGE_MAX = 1_000_000_000

export function readPage(query: { readonly page?: string | undefined; readonly pageSize?: string | undefined }): Page {
  return {
    page: readWhole('page', query.page, 1, PAGE_MAX),
    pageSize: readWhole('pageSize', query.pageSize, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX),
  }
}

function readWhole(name: string, text: string | undefined, missing: number, max: number): number {
  if (text === undefined) return missing
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= 1 && value <= max)) throw invalidField(name, `must be a whole number from 1 to ${max}`)
  return value
}
