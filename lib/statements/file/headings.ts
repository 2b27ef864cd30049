import 'server-only'
import { currencyOf, judgeMark, readAmount } from './amount-text.ts'
import type { ColumnField, ColumnMeaning, MeaningField } from './statement.ts'

export const plainWord = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

type NamedField = Exclude<ColumnField, 'paidOut'>

const RECEIVED_HEADINGS = words('credit credits creditamount haben paidin moneyin gutschrift deposits deposit abono')

const FIELD_HEADINGS: readonly (readonly [field: NamedField, headings: ReadonlySet<string>])[] = [
  [
    'bankReference',
    words(`bankreference bankref bankreferenz banktransactionid transactionid transactionreference transaktionsid
      transaktionsnummer buchungsreferenz umsatzid accountservicerreference archivierungsnummer fitid`),
  ],
  [
    'reference',
    words(`paymentreference zahlungsreferenz reference referenz ref customerreference kundenreferenz
      kundenreferenzendtoend endtoendreference endtoendid endtoendreferenz endezuendereferenz endtoend referencenumber
      referenznummer referencia`),
  ],
  ['amount', new Set([...words('amount betrag umsatz importe'), ...RECEIVED_HEADINGS])],
  ['currency', words('currency währung waehrung whrg ccy währungscode moneda')],
  [
    'bookedOn',
    words(`bookedon booked bookingdate buchungstag buchungsdatum buchung postingdate transactiondate date datum fecha
      valuedate valuta valutadatum wertstellung`),
  ],
  [
    'text',
    words(`text freetext description details paymentdetails remittanceinformation narrative memo purpose
      verwendungszweck buchungstext beschreibung zahlungszweck vorgangverwendungszweck concepto`),
  ],
  ['valueDate', words('valuedate valuta valutadatum wertstellung wertstellungstag')],
  [
    'payerName',
    words(`payer payername payersname debtor debtorname sender sendername orderingparty counterparty counterpartyname name
      zahler auftraggeber auftraggebername nameauftraggeber zahlungspflichtiger namezahlungsbeteiligter
      begünstigterzahlungspflichtiger auftraggeberempfänger partnername`),
  ],
  [
    'payerAccount',
    words(`payeraccount payersaccount payeriban debtoraccount debtoriban senderaccount senderiban counterpartyaccount
      counterpartyiban ibanzahlungsbeteiligter ibanauftraggeber partneriban`),
  ],
]

/** `Betrag (EUR)` and `Betrag in EUR` equal `betrag`. */
const fieldHeading = (heading: string): string =>
  plainWord(
    heading.replace(/\([^)]*\)|\b(?:(?<!(?:[Pp]aid|[Mm]oney) )in )?[A-Z]{3}\b/g, (found) =>
      currenciesIn(found).length > 0 ? '' : found,
    ),
  )

export function guessFields(headings: readonly string[]): Partial<Record<NamedField, number>> {
  const plain = headings.map(fieldHeading)
  const taken = new Set<number>()
  const found: Partial<Record<NamedField, number>> = {}
  for (const [field, known] of FIELD_HEADINGS) {
    for (const heading of known) {
      const at = plain.findIndex((one, position) => one === heading && !taken.has(position))
      if (at === -1) continue
      found[field] = at
      taken.add(at)
      break
    }
  }
  return found
}

const CURRENCY_NAMES: readonly (readonly [name: RegExp, code: string])[] = [
  [/\b(us|u\.s\.)[- ]?dollars?\b/i, 'USD'],
  [/\b(bz|belize)[- ]?dollars?\b/i, 'BZD'],
  [/\beuros?\b/i, 'EUR'],
]

export function currenciesIn(heading: string): readonly string[] {
  const wordsIn = (text: string): string[] => text.split(/[^\p{L}$€£]+/u).filter((word) => word !== '')
  const inBrackets = [...heading.matchAll(/[([][^)\]]*[)\]]/g)].flatMap(([part]) => wordsIn(part))
  // TOP and ALL are currency codes, too.
  const others = wordsIn(heading.replace(/\b(TOP|ALL)\b/gi, ''))
  const codes = [...[...inBrackets, ...others.slice(-1)].map((word) => word.toUpperCase()), ...others]
  const names = CURRENCY_NAMES.filter(([name]) => name.test(heading)).map(([, code]) => code)
  const named = [...names, ...codes.map((code) => currencyOf(code) ?? '')].filter((code) => code !== '')
  return [...new Set(named)]
}

const PAID_OUT_HEADINGS = words(`debit debits debitamount amountdebit soll sollbetrag paidout moneyout withdrawal
  withdrawals withdrawalamount belastung belastungen lastschrift ausgang ausgaben cargo debe dare af débit`)
const FEE_HEADINGS = words(`charge charges bankcharges fee fees feeamount transactionfee commission commissions gebühr
  gebühren entgelt spesen frais comisión comision commissione opłata prowizja poplatek kosten`)
const BALANCE_HEADINGS = words(`balance runningbalance accountbalance closingbalance balanceafter bookbalance saldo
  kontostand saldonachbuchung saldoafter solde`)

export const isReceivedHeading = (heading: string): boolean => RECEIVED_HEADINGS.has(fieldHeading(heading))

export const isPaidOutHeading = (heading: string): boolean => PAID_OUT_HEADINGS.has(fieldHeading(heading))

export const isFeeHeading = (heading: string): boolean => FEE_HEADINGS.has(fieldHeading(heading))

export function notReceivedHeading(heading: string): string | null {
  const plain = fieldHeading(heading)
  if (PAID_OUT_HEADINGS.has(plain) || FEE_HEADINGS.has(plain)) return 'money paid out'
  return BALANCE_HEADINGS.has(plain) ? 'balances' : null
}

interface Vocabulary {
  /** These identify such a column, whatever its cells. */
  readonly headings: ReadonlySet<string>
  readonly possibleHeadings: ReadonlySet<string>
  /** True if an unknown word next to a known one must be refused. */
  readonly isComplete: boolean
  readonly received: ReadonlySet<string>
  readonly other: ReadonlySet<string>
  /** These are unambiguous under any heading. */
  readonly clear: ReadonlySet<string>
}

const DIRECTION: Vocabulary = {
  headings:
    words(`sh dc cd dk kd sollhaben habensoll debitcredit creditdebit drcr crdr debitcreditindicator creditdebitindicator
    creditdebitcode cdtdbtind dcindicator dcmark debitcreditmark direction richtung vorzeichen afbij bijaf inout outin
    inorout debitorcredit creditordebit debetcredit creditdebet debetkredit wnma winienma debehaber cargoabono dareavere
    deebetkreedit débitcrédit debitocredito débitocrédito sollhabenkennzeichen shkennzeichen bevételkiadás`),
  possibleHeadings: words(`sign sens sentido segno kennzeichen umsatzart indicator type transactiontype art tipo
    tipodemovimento typ`),
  // A type column has many other words: interest, transfer, top-up.
  isComplete: false,
  received: words(`h haben c cr credit credits cred crdt kredit kr bij in incoming inbound received eingang
    zahlungseingang gutschrift deposit deposits paidin moneyin inn ind ma haber abono avere crédit crédito entrada
    uznanie bevétel pano příjem inflow +`),
  other: words(`s soll d dr debit debits deb dbit dt debet af out outgoing outbound sent ausgang zahlungsausgang
    lastschrift belastung withdrawal withdrawals paidout moneyout ut ud wn winien debe cargo dare débit débito salida
    fee fees charge charges bankfee bankcharges gebühr gebühren entgelt directdebit standingorder cashwithdrawal
    atmwithdrawal transferout outgoingtransfer outgoingpayment saída obciążenie kiadás otto výdej outflow -`),
  clear: words(`soll dr debit debits dbit debet af out outgoing outbound ausgang zahlungsausgang lastschrift belastung
    withdrawal withdrawals paidout moneyout winien débit débito salida bankfee bankcharges directdebit standingorder
    cashwithdrawal atmwithdrawal transferout outgoingtransfer outgoingpayment`),
}

const STATUS: Vocabulary = {
  headings: words(`status buchungsstatus umsatzstatus bookingstatus transactionstatus transactionstate paymentstatus
    statut contabilizzazione`),
  possibleHeadings: words('state zustand estado stato stan info'),
  isComplete: true,
  received: words(`booked book posted completed complete done settled cleared executed gebucht umsatzgebucht verbucht
    ausgeführt abgeschlossen processed success successful accepted final ok geboekt verwerkt comptabilisé contabilizado
    contabilizzato`),
  other:
    words(`pending pdng reverted reversed reversal declined failed fail cancelled canceled rejected refused returned
    vorgemerkt umsatzvorgemerkt offen storniert storno abgelehnt zurückgewiesen authorized authorised authorization
    reserved reservation hold onhold held noncontabilizzato nocontabilizado
    reserverad reserverade reserveret väntande varattu ausstehend enattente pendiente inattesa scheduled planned draft expired voided void chargeback refunded unposted
    notposted notbooked unbooked inprogress processing waiting openstaand gereserveerd`),
  clear: words(`pending pdng reverted reversed declined failed cancelled canceled rejected vorgemerkt umsatzvorgemerkt
    offen storniert abgelehnt unposted notbooked noncontabilizzato nocontabilizado`),
}

const cellWord = (text: string): string => {
  const sign = text.trim()
  return /^[-+\u2212\u2013]$/.test(sign) ? sign.replace(/[\u2212\u2013]/, '-') : plainWord(sign)
}

/** `K` is credit in a column that has no other codes but `D`. */
function sideWords(heading: string, cells: readonly string[]): readonly string[] {
  const plain = cells.map(cellWord)
  const codes = new Set(plain.filter((word) => word !== ''))
  const isKnown = codes.has('d') || DIRECTION.headings.has(plainWord(heading))
  const isDebitOrCredit = isKnown && [...codes].every((code) => code === 'k' || code === 'd')
  return isDebitOrCredit ? plain.map((word) => (word === 'k' ? 'kredit' : word)) : plain
}

/** True if all texts say which side they are mapped to. */
export function isPlainDirection(heading: string, { values }: ColumnMeaning): boolean {
  const texts = Object.keys(values).filter((text) => text !== '')
  const plain = sideWords(heading, texts)
  return texts.every((text, at) => (values[text] ? DIRECTION.received : DIRECTION.other).has(plain[at] ?? ''))
}

const FEE_WORDS = words('charge charges')

/** Beside signs, it names a kind of payment: Stripe calls payments charges. */
export const isFeeWord = (cell: string): boolean => FEE_WORDS.has(cellWord(cell))

/** In place of a date, or behind it. */
export const isNotBooked = (cell: string): boolean => STATUS.other.has(plainWord(cell.replaceAll(/\d/g, '')))

export const isNotBookedTitle = (cell: string): boolean =>
  /^(pending|unposted|unbooked|not (yet )?(posted|booked)|(noch )?nicht gebuchte?|(vorgemerkt|offen|ausstehend)e?|(opérations )?en attente|(movimientos )?pendientes|(movimenti )?in attesa|väntande|gereserveerd)((\s\p{L}+)?\s(transaction|payment|item|charge|authori[sz]ation|transfer|credit|deposit|activity|umsätze|buchungen|posten|zahlungen)s?)?([^\p{L}]|\b(as of|vom|per)\b)*$/iu.test(
    cell,
  )

export const isBookedTitle = (cell: string): boolean =>
  /^(posted|booked|completed|cleared|(ge|ver)buchte?)\b/i.test(cell)

export type ColumnRole = 'text' | 'mapped' | 'unmapped'

export interface JudgedColumn {
  readonly says: 'direction' | 'status'
  readonly at: number
}

/** The column that gives the direction or status of payments, with the meaning of its known texts; null if there is none. */
export function guessMeaning(
  field: MeaningField,
  headings: readonly string[],
  values: readonly (readonly string[])[],
): ColumnMeaning | null {
  const vocabulary = field === 'direction' ? DIRECTION : STATUS
  const column = values.findIndex(
    (texts, at) => firstNotReceived(vocabulary, headings[at] ?? '', texts, 'unmapped') !== -1,
  )
  if (column === -1) return null
  const texts = values[column] ?? []
  const plain = sideWords(headings[column] ?? '', texts)
  const known = texts.flatMap((text, at): [string, boolean][] => {
    const word = plain[at] ?? ''
    if (vocabulary.received.has(word)) return [[text, true]]
    return vocabulary.other.has(word) ? [[text, false]] : []
  })
  return { column, values: Object.fromEntries(known) }
}

/** Returns the first row that a direction or status column does not mark as booked money received, or null. */
export function judgeColumn(heading: string, cells: readonly string[], role: ColumnRole): JudgedColumn | null {
  for (const [says, vocabulary] of [
    ['direction', DIRECTION],
    ['status', STATUS],
  ] as const) {
    const at = firstNotReceived(vocabulary, heading, cells, role)
    if (at !== -1) return { says, at }
  }
  return null
}

function firstNotReceived(
  { headings, possibleHeadings, isComplete, received, other, clear }: Vocabulary,
  heading: string,
  cells: readonly string[],
  role: ColumnRole,
): number {
  const plain = sideWords(heading, cells)
  const filled = plain.filter((cell) => cell !== '')
  if (filled.length === 0 || isFigures(cells)) return -1
  const [hasReceived, hasOther] = [filled.some((cell) => received.has(cell)), filled.some((cell) => other.has(cell))]
  const isVocabulary = filled.every((cell) => received.has(cell) || other.has(cell))
  const name = plainWord(heading)
  const isMixed = isVocabulary && hasReceived && hasOther
  if (headings.has(name) || (isMixed && role !== 'mapped')) return plain.findIndex((cell) => !received.has(cell))
  if (possibleHeadings.has(name) && hasOther) return plain.findIndex((cell) => other.has(cell))
  if (possibleHeadings.has(name) && isComplete && hasReceived) return plain.findIndex((cell) => !received.has(cell))
  if (role === 'unmapped' && filled.some((cell) => clear.has(cell))) return plain.findIndex((cell) => clear.has(cell))
  const isPaidOut = filled.every((cell) => clear.has(cell) || SINGLE_CODES.has(cell))
  return isPaidOut && role !== 'mapped' ? plain.findIndex((cell) => cell !== '') : -1
}

const KIND_HEADINGS = words('type typ tipo tyyppi soort rodzaj art kind kennzeichen indicator sign sens segno sentido')

/** Returns the first row that may be money paid out where amounts have no sign, or -1. */
export function firstUnmarked(heading: string, cells: readonly string[], role: ColumnRole): number {
  const { size } = new Set(cells)
  const ofPayment = heading.toLowerCase().replace(/(account|card|currency|customer|document)[ _-]type/, '')
  const isKind = ofPayment.split(/[^\p{L}]+/u).some((word) => KIND_HEADINGS.has(word))
  const isOfTwoKinds = size === 2 && isKind && role === 'unmapped'
  const isMarks =
    size > 1 && role !== 'mapped' && cells.every((cell) => cell === '' || RECEIVED_CODES.has(cellWord(cell)))
  const isOfTwoCodes = size === 2 && role === 'unmapped' && cells.every((cell) => /^\p{L}{1,2}$/u.test(cell))
  return isOfTwoKinds || isOfTwoCodes || isMarks
    ? cells.findIndex((cell) => !DIRECTION.received.has(cellWord(cell)))
    : -1
}

const SINGLE_CODES = words('s d')
const RECEIVED_CODES = words('cr c h credit crdt kredit haben +')

const isFigures = (cells: readonly string[]): boolean => {
  const { verdict } = judgeMark(cells.map((text) => ({ place: 0, text })))
  return verdict !== 'no-amounts' && verdict !== 'whole' && cells.every((cell) => cell === '' || isAmountText(cell))
}

const TOTAL_LABEL =
  /^(grand|sub|running)?\s*(total|totals|totaal|totale)\b|^(zwischen)?summe\b|^sum\b|^gesamt|^(opening|closing|start|end|ending|book|available|previous|new)\s+balance\b|^balance\b|^(anfangs|end|alter|neuer|begin|eind)?\s*-?saldo|^((alter|neuer)\s+)?kontostand|^(carried|brought)\s+forward\b|^saldovortrag|^turnover\b|^solde\b/i

export const isTotalLabel = (cell: string): boolean => TOTAL_LABEL.test(cell.trim())

const EXACT_LABELS = words(`total totals grandtotal subtotal totaal summe zwischensumme gesamtsumme gesamt sum balance
  openingbalance closingbalance startingbalance endingbalance balancebroughtforward balancecarriedforward
  broughtforward carriedforward saldo anfangssaldo endsaldo saldovortrag kontostand alterkontostand neuerkontostand
  altersaldo neuersaldo beginsaldo eindsaldo solde tagessaldo turnover turnovers apyvarta likutispradžiai
  likutispabaigai algsaldo lõppsaldo käive apgrozījums sākumaatlikums beiguatlikums beginningbalance previousbalance
  newbalance availablebalance openingledgerbalance closingledgerbalance slutsaldo ingåendesaldo utgåendesaldo
  ingåendebalans utgåendebalans ingåendesaldi utgåendesaldi loppusaldo alkusaldo primosaldo ultimosaldo vorigsaldo
  nieuwsaldo saldoinicial saldofinal saldoanterior saldoiniziale saldofinale soldeinitial soldefinal anciensolde
  nouveausolde saldopoczątkowe saldokońcowe obroty počátečnízůstatek konečnýzůstatek nyitóegyenleg záróegyenleg`)

const AS_OF = /[\s(:]*(\b(as (of|at)|at|per|am|vom|zum|au|al|op|on|den)\b)?[\s:]*\d{1,4}([-./])\d{1,2}\4\d{1,4}\)?\s*$/i

/** Accepts bare labels only, and a date behind them, because a payer may be called “Total Ltd”. */
export const isExactTotalLabel = (cell: string): boolean => EXACT_LABELS.has(plainWord(cell.replace(AS_OF, '')))

const DATE =
  /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.'](\d{4}|\d{2})|(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])|\d{1,2}[-. ]+\p{L}{3,9}\.?[-., ]+\d{2,4}|\p{L}{3,9}\.?\s+\d{1,2},?\s+\d{4})([T ,]+\d{1,2}[:.]\d{2}([:.]\d{2})?(\.\d+)?\s*(Z|[AP]M|[+-]\d{2}:?\d{2})?)?$/iu

export const isDate = (cell: string): boolean => cell.length <= 40 && DATE.test(cell)

/** Spreadsheets turn long digits into numbers such as `2,02605E+15`. */
export const isShortened = (cell: string): boolean => /^\d([.,]\d+)?E\+\d+$/i.test(cell)

const CELL_ERROR = /^#(#{4,}|N\/A|DIV\/0!|NAME\?|(NULL|VALUE|REF|NUM|SPILL|CALC|NOT CALCULATED)!)$/
export const isCellError = (cell: string): boolean => CELL_ERROR.test(cell)

export const isAmountText = (cell: string): boolean =>
  readAmount(cell, 'point') !== null || readAmount(cell, 'comma') !== null
