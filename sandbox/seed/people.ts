import type { RoleName } from '#sandbox/identity/roles.ts'

export const SEED_PASSWORD = 'Sandbox-Pass-1'

export interface Person {
  /** Last digits of the user id. */
  readonly ending: string
  readonly first: string
  readonly last: string
  readonly username?: string
  readonly role: RoleName
  readonly about: string
  readonly mayNotSignIn?: true
  readonly locked?: true
}

/** Ids, addresses and roles are stable: tests and people rely on them. */
export const people: readonly Person[] = [
  { ending: '001', first: 'Operator', last: 'Olsen', role: 'SUPPORT', about: 'support: deposits, cards, terminals' },
  {
    ending: '002',
    first: 'Arbitrator',
    last: 'Arana',
    role: 'DISPUTE_ADMIN',
    about: 'disputes: reads, writes, resolves',
  },
  { ending: '003', first: 'Admin', last: 'Adler', role: 'ADMIN', about: 'may do everything' },
  { ending: '004', first: 'Viewer', last: 'Vance', role: 'VIEWER', about: 'may read, nothing else' },
  { ending: '005', first: 'Newcomer', last: 'Novak', role: 'DISPUTE_ADMIN', about: 'like the arbitrator, new' },
  { ending: '011', first: 'Ana', last: 'Alvarez', role: 'HOLDER', about: 'wallet holder' },
  { ending: '012', first: 'Ben', last: 'Bennett', role: 'HOLDER', about: 'wallet holder' },
  { ending: '013', first: 'Cleo', last: 'Castillo', role: 'HOLDER', about: 'wallet holder' },
  { ending: '014', first: 'Dario', last: 'Diaz', role: 'HOLDER', about: 'wallet holder' },
  {
    ending: '021',
    first: 'Locked',
    last: 'Lopez',
    role: 'SUPPORT',
    about: 'locked: sign-in answers 423',
    locked: true,
  },
  {
    ending: '022',
    first: 'Closed',
    last: 'Clarke',
    role: 'SUPPORT',
    about: 'not permitted to sign in: 403',
    mayNotSignIn: true,
  },
]

export const userIdEndingIn = (ending: string): string => `00000000-0000-4000-8000-${ending.padStart(12, '0')}`

export const usernameOf = (person: Person): string => person.username ?? person.first.toLowerCase()

export const emailOf = (person: Person): string => `${usernameOf(person)}@example.com`
