/** interface.md, "Conventions on data". */
export const PLACES = 8

export const isAmount = (text: string): boolean => /^-?\d{1,30}(\.\d{1,8})?$/.test(text)

export const isPlainAmount = (text: string): boolean => isAmount(text) && !text.startsWith('-')

function partsOf(text: string): readonly [sign: '-' | '', whole: string, places: string] {
  const [whole = '', places = ''] = text.replace(/^-/, '').split('.')
  return [text.startsWith('-') && /[1-9]/.test(text) ? '-' : '', whole.replace(/^0+(?=\d)/, ''), places]
}

export function exactText(text: string): string {
  const [sign, whole, places] = partsOf(text)
  return `${sign}${whole}.${places.padEnd(PLACES, '0')}`
}

/** Two places unless more are needed, and a real minus sign. */
export function shownText(text: string): string {
  const [sign, whole, places] = partsOf(text)
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return `${sign === '' ? '' : '−'}${grouped}.${places.replace(/0+$/, '').padEnd(2, '0')}`
}

export const shownAmount = (text: string): string => (isAmount(text) ? shownText(text) : text)
