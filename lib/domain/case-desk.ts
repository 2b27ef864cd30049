/** Who works on a dispute case, as this console knows it. */
export interface Claim {
  /** In small letters. */
  readonly caseId: string
  /** The actor, as the journal writes it. */
  readonly holder: string
  readonly holderName: string
  /** ISO 8601. */
  readonly since: string
}
