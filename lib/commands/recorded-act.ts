import 'server-only'
import { z } from 'zod'
import type { CommandKindName } from '#lib/domain/command.ts'
import type { AnyFacts, CommandKind } from './command-kind.ts'

type Params = Readonly<Record<string, string | number>>

/**
 * A kind that is only written down, in the transaction that does it, so it is never drafted or sent. The door takes none of its parameters. `title`: what was done, in words.
 */
export const recordedAct = (
  kind: CommandKindName,
  title: (params: Params) => string,
): CommandKind<Params, AnyFacts, never> => ({
  kind,
  params: z.never(),
  immediate: false,
  needsEnrolment: false,
  takesCode: false,
  checkParams: () => ({ params: 'This is not done at the door.' }),
  readFacts: async () => ({ ok: true, value: {}, serviceTime: null }),
  checkFacts: () => ({}),
  target: () => '',
  locks: () => [],
  heldWords: () => ({ field: 'params', what: '' }),
  title,
  summary: () => [],
  factLines: () => [],
  consequence: () => '',
  send: async () => ({
    kind: 'own',
    refusal: { title: 'This is not done at the door', advice: 'Nothing was changed.' },
  }),
  tell: () => ({ steps: [], lines: [] }),
  lookScope: 'own',
  look: null,
  checking: '',
  unknownAdvice: '',
})
