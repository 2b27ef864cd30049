import type { Proof } from '#lib/commands/command.ts'
import { isUuid } from '#lib/values/ids.ts'
import { CARD_NUMBER_WORDS, holdsCardNumber, lineFault, visibleText } from '#lib/values/text.ts'

/** Generous bounds; the service decides what is valid. */
const MERCHANT_ID_MAX_CHARS = 200
const UID_MAX_CHARS = 200
const LABEL_MAX_CHARS = 200

export const ASK_WHY_DISABLE = 'Enter why: lost, stolen or retired, and who reported it.'

export const merchantIdFault = (typed: string): string | null =>
  typed.trim() === '' ? 'Enter a merchant id.' : lineFault(typed.trim(), MERCHANT_ID_MAX_CHARS)

export const terminalUidFault = (typed: string): string | null =>
  typed.trim() === '' ? 'Enter the UID that the reader shows.' : lineFault(typed.trim(), UID_MAX_CHARS)

export const labelFault = (typed: string): string | null =>
  holdsCardNumber(typed) ? CARD_NUMBER_WORDS : lineFault(typed.trim(), LABEL_MAX_CHARS)

export const terminalIdFault = (id: string): string | null =>
  isUuid(id) ? null : 'Not a terminal id. An id has 36 characters: 0 to 9, a to f and dashes.'

interface Named {
  readonly label: string
  readonly terminalUid: string
}

/** An operator cannot type invisible characters. */
const typeable = (label: string): boolean => label.trim() !== '' && visibleText(label) === label

export const nameOf = ({ label, terminalUid }: Named): string => (typeable(label) ? label.trim() : terminalUid)

/** Typing the name prevents disabling the wrong reader. */
export const disableProof = (terminal: Named): Proof => ({
  label: `Type the ${typeable(terminal.label) ? 'label' : 'UID'} of this terminal: ${visibleText(nameOf(terminal))}`,
  expected: nameOf(terminal),
})

export const registerTitle = (merchantId: string, terminalUid: string): string =>
  `Register terminal ${terminalUid} at ${merchantId}`
