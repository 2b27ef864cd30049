import { Refusal } from '#sandbox/http/problem.ts'

/** The same for unknown and hidden terminals, so that the answer does not show which. */
export const terminalNotFound = (): Refusal =>
  new Refusal(404, 'core::tessera::terminal::not_found', 'No such merchant or terminal.')

export const terminalInvalid = (errors: Readonly<Record<string, readonly string[]>>): Refusal =>
  new Refusal(400, 'core::tessera::terminal::invalid', 'The request is not valid.', errors)

export const terminalWriteFailure = {
  code: 'core::tessera::terminal::update::fail',
  title: 'The terminal could not be written. Nothing changed.',
} as const
