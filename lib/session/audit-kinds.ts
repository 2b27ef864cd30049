export const auditKinds = [
  'session.sign-in',
  'session.refused',
  'session.sign-out',
  'session.end',
  'session.end-of-other',
  'step-up.verify',
  'step-up.reject',
  'step-up.lock',
  'step-up.not-known',
  'passkey.reject',
  'approval.refuse',
  'export.activity',
  'export.approvals',
  'export.history',
  'export.statement',
  'export.report',
  'journal.check',
  'view.share',
  'view.change',
  'view.remove',
] as const

export type AuditKindName = (typeof auditKinds)[number]
