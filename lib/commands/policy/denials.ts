/** Names in the journal and the metrics. */
export const denials = ['limit', 'policy-changed', 'effect-differs', 'approval-missing', 'passkey-missing'] as const

export type Denial = (typeof denials)[number]

export const isDenial = (name: string): name is Denial => denials.some((denial) => denial === name)
