import 'server-only'

/** A view of a table that a person saved. */
export interface SavedViewTable {
  id: string
  table_name: string
  /** The owner, or empty where it is shared. */
  scope: string
  owner: string
  owner_name: string
  name: string
  /** The name as it is compared. */
  name_key: string
  /** JSON text. */
  state: string
  updated_at: string
}
