import { cards } from './cards.ts'
import { disputes } from './disputes.ts'
import { security } from './security.ts'
import { terminals } from './terminals.ts'
import { transactions } from './transactions.ts'
import { users } from './users.ts'

/** Every endpoint of the service, by resource: the one table of methods, paths, scopes and step-up marks. */
export const endpoints = { users, transactions, cards, disputes, terminals, security } as const
