import { cards } from './cards.ts'
import { disputes } from './disputes.ts'
import { security } from './security.ts'
import { terminals } from './terminals.ts'
import { transactions } from './transactions.ts'
import { users } from './users.ts'

export const endpoints = { users, transactions, cards, disputes, terminals, security } as const
