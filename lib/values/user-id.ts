import { isUuid } from './uuid.ts'

export function userIdFault(id: string): string | null {
  if (id.trim() === '') return 'Enter a user id.'
  if (id.includes('@')) return 'The service finds a user by id, not by e-mail address.'
  if (isUuid(id)) return null
  return 'This is no user id: one has 36 characters, 0 to 9, a to f and dashes, like 3f2b8c1e-5d04-4b7a-9e61-0c8d2f7a4e15.'
}

/** The service may write ids in either case. */
export const sameAccount = (id: string, other: string): boolean => id.toLowerCase() === other.toLowerCase()
