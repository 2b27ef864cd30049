/** Why the policy stops a change, as the journal and the metrics name it. */
export const denials = ['limit', 'policy-changed', 'effect-differs', 'approval-missing', 'passkey-missing'] as const

export type Denial = (typeof denials)[number]

export const isDenial = (name: string): name is Denial => denials.some((denial) => denial === name)
