import 'server-only'

export interface SavedViewTable {
  id: string
  table_name: string
  /** The owner; empty if shared. */
  scope: string
  owner: string
  owner_name: string
  name: string
  /** Normalized for comparison. */
  name_key: string
  /** JSON text. */
  state: string
  updated_at: string
}
