import fc from 'fast-check'

export const PEOPLE = 4

export type Answered = 'done' | 'lost after it' | 'lost before it'

export type Act =
  /** A change from its draft to sending, approved by so many. */
  | { readonly act: 'whole'; readonly who: number; readonly amount: number; readonly approvers: number }
  | { readonly act: 'make'; readonly who: number; readonly amount: number }
  /** A message arrives, which approvals outlive. */
  | { readonly act: 'message'; readonly at: number }
  | { readonly act: 'edit' | 'ask' | 'withdraw' | 'expire'; readonly at: number; readonly session: number }
  | { readonly act: 'approve' | 'decline'; readonly at: number; readonly who: number; readonly session: number }
  /** Of one of two processes, some milliseconds after the step began; nothing where there is one. */
  | { readonly act: 'kill'; readonly which: number; readonly afterMs: number }
  | { readonly act: 'send'; readonly at: number; readonly session: number; readonly answered: Answered }

/** Counted from the latest change that was made. */
const at = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) })
const session = fc.nat(1)
const who = fc.nat(PEOPLE - 1)
/** One makes most of them, so that limits are met. */
const maker = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: who })
const amount = fc.constantFrom(30, 60, 120)
const acts: fc.Arbitrary<Act> = fc.oneof(
  // A new process takes seconds to start.
  { weight: 1, arbitrary: fc.record({ act: fc.constant('kill' as const), which: fc.nat(1), afterMs: fc.nat(20) }) },
  {
    weight: 500,
    arbitrary: fc.record({ act: fc.constant('whole' as const), who: maker, amount, approvers: fc.nat(2) }),
  },
  {
    weight: 300,
    arbitrary: fc.record({ act: fc.constant('make' as const), who: maker, amount }),
  },
  { weight: 500, arbitrary: fc.record({ act: fc.constant('ask' as const), at, session }) },
  { weight: 200, arbitrary: fc.record({ act: fc.constant('message' as const), at }) },
  { weight: 600, arbitrary: fc.record({ act: fc.constant('approve' as const), at, who, session }) },
  { weight: 100, arbitrary: fc.record({ act: fc.constant('decline' as const), at, who, session }) },
  {
    weight: 100,
    arbitrary: fc.record({
      act: fc.constantFrom('edit' as const, 'withdraw' as const, 'expire' as const),
      at,
      session,
    }),
  },
  {
    weight: 300,
    arbitrary: fc.record({
      act: fc.constant('send' as const),
      at,
      session,
      answered: fc.constantFrom<Answered>('done', 'lost after it', 'lost before it'),
    }),
  },
)
/** What happens one after the other; two acts of one step happen at once. */
export const schedules = fc.array(fc.array(acts, { minLength: 1, maxLength: 2 }), { minLength: 8, maxLength: 20 })
