import type { SubjectName } from './dispute-texts.ts'

export type Disputed = readonly [
  subject: SubjectName,
  /** Last digits of the payer's user id. */
  from: string,
  /** Last digits of the recipient's user id, or a merchant's id. */
  to: string,
  amount: string,
  raisedHoursAgo: number,
  /** Within the dispute window. */
  paidHoursBefore: number,
  /** Includes system messages. */
  messages: number,
  resolution?: Resolution,
]

/** `by`: last digits of the arbitrator's user id. */
type Resolution = readonly [by: string, afterHours: number, outcome: 'refund' | 'release']

export const disputed: readonly Disputed[] = [
  ['twice', '011', 'merchant-001', '23.60', 0.1, 0.4, 1],
  ['stranger', '012', '014', '75', 0.4, 0.2, 1],
  ['lunch', '013', '011', '64', 0.9, 1.5, 2],
  ['spoiled', '011', 'merchant-002', '18.50', 1.6, 5, 1],
  ['ticket', '014', '012', '40', 2.3, 26, 3],
  ['order', '012', 'merchant-001', '52', 3.2, 9, 2],
  ['bicycle', '011', '012', '180', 5, 49, 4],
  ['phone', '013', '014', '95', 7.5, 31, 3],
  ['receipt', '011', 'merchant-003', '41.20', 9.7, 2, 6],
  ['cleaning', '012', '013', '60', 13.2, 8, 5],
  ['trip', '011', '014', '110', 18, 66, 8],
  ['stranger', '011', '013', '25', 23.5, 0.3, 7],
  ['faulty', '013', 'merchant-003', '36.75', 28, 40, 9],
  ['lessons', '014', '011', '50', 35, 71, 12],
  ['lodging', '011', '012', '150', 44, 12, 4],
  ['generator', '012', '011', '130', 52, 55, 10],
  ['twice', '014', 'merchant-003', '12.90', 66, 1, 14],
  ['lunch', '011', '014', '84', 80, 4, 6],
  ['phone', '011', '013', '120', 97, 20, 18],
  ['order', '011', 'merchant-001', '33', 121, 60, 11],
  ['cleaning', '013', '012', '45', 146, 24, 22],
  ['ticket', '011', '013', '70', 171, 36, 9],
  ['spoiled', '012', 'merchant-002', '27.30', 199, 3, 16],
  ['trip', '013', '011', '90', 241, 50, 28],
  ['bicycle', '014', '013', '65', 288, 70, 35],
  ['receipt', '013', 'merchant-002', '29.90', 343, 6, 7],
  ['lodging', '012', '011', '140', 409, 44, 120],
  ['faulty', '011', 'merchant-003', '48', 502, 62, 13],
  ['lessons', '011', '012', '55', 603, 10, 48],
  ['generator', '013', '012', '160', 722, 33, 19],
  ['bicycle', '012', '011', '85', 41, 15, 2, ['003', 11, 'release']],
  ['stranger', '013', '012', '30', 76, 0.5, 3, ['002', 20, 'refund']],
  ['twice', '011', 'merchant-002', '9.40', 112, 0.7, 5, ['002', 26, 'refund']],
  ['phone', '011', '014', '100', 163, 28, 4, ['005', 71, 'release']],
  ['trip', '012', '013', '75', 188, 52, 8, ['002', 55, 'refund']],
  ['cleaning', '011', '013', '40', 231, 18, 6, ['002', 118, 'release']],
  ['spoiled', '013', 'merchant-003', '22.15', 279, 7, 12, ['003', 42, 'refund']],
  ['ticket', '012', '014', '36', 332, 60, 9, ['002', 200, 'refund']],
  ['receipt', '012', 'merchant-001', '31.80', 391, 2.5, 15, ['002', 94, 'release']],
  ['lodging', '013', '011', '125', 448, 70, 7, ['005', 150, 'refund']],
  ['lessons', '012', '013', '48', 541, 45, 21, ['002', 73, 'release']],
  ['faulty', '011', 'merchant-001', '57.60', 633, 38, 11, ['002', 300, 'refund']],
  ['lunch', '012', '011', '66', 718, 5, 33, ['002', 166, 'release']],
  ['order', '011', 'merchant-003', '44.50', 847, 21, 17, ['003', 212, 'refund']],
  ['generator', '011', '012', '135', 979, 65, 26, ['002', 241, 'release']],
]
