import type { Proof } from '#lib/commands/command.ts'
import { lineFault } from '#lib/values/typed-line.ts'
import { isUuid } from '#lib/values/uuid.ts'
import { visibleText } from '#lib/values/visible-text.ts'

/** Longer than any merchant id, UID or label that makes sense; what is allowed is the service's business. */
const MERCHANT_ID_MAX_CHARS = 200
const UID_MAX_CHARS = 200
const LABEL_MAX_CHARS = 200

export const ASK_WHY_DISABLE = 'Say why: lost, stolen or retired, and who reported it.'

/** What is wrong with a merchant id as it was typed; null when it can be looked up, as exact text. */
export const merchantIdFault = (typed: string): string | null =>
  typed.trim() === '' ? 'Enter a merchant id.' : lineFault(typed.trim(), MERCHANT_ID_MAX_CHARS)

export const terminalUidFault = (typed: string): string | null =>
  typed.trim() === '' ? 'Enter the UID that the reader shows.' : lineFault(typed.trim(), UID_MAX_CHARS)

/** A label may be left out. */
export const labelFault = (typed: string): string | null => lineFault(typed.trim(), LABEL_MAX_CHARS)

export const terminalIdFault = (id: string): string | null =>
  isUuid(id) ? null : 'This is no terminal id: one has 36 characters, 0 to 9, a to f and dashes.'

interface Named {
  readonly label: string
  readonly terminalUid: string
}

/** Whether a label can be typed as it is seen. */
const typeable = (label: string): boolean => label.trim() !== '' && visibleText(label) === label

/** What a terminal is called: its label, else its UID. */
export const nameOf = ({ label, terminalUid }: Named): string => (typeable(label) ? label.trim() : terminalUid)

/** What is typed to disable a terminal, so that the wrong reader is not stopped. */
export const disableProof = (terminal: Named): Proof => ({
  label: `Type the ${typeable(terminal.label) ? 'label' : 'UID'} of this terminal: ${visibleText(nameOf(terminal))}`,
  expected: nameOf(terminal),
})

/** What a registration is called, in its dialog and wherever it is told of. */
export const registerTitle = (merchantId: string, terminalUid: string): string =>
  `Register terminal ${terminalUid} at ${merchantId}`
