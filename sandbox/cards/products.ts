const products: ReadonlyMap<number, string> = new Map([
  [1, 'Classic'],
  [2, 'Business'],
  [3, 'Youth'],
])

export const isCardType = (cardType: number): boolean => products.has(cardType)

export const cardTypeName = (cardType: number): string => products.get(cardType) ?? ''
